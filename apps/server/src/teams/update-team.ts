import { type contract, appErrors, whyCannotUpdateTeam } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { notifyTeamChange } from '../notifications/notify-team.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { auditIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { findExistingRoleIds, replaceRolesNeeded, updateTeamRow } from './commands.ts'
import { loadTeam } from './views.ts'

/** Renames, edits or deactivates a team; for the chef, or an administrator with their password. */
export const updateTeam: UseCase<typeof contract.teams.update> = async (ctx, input) => {
  const { id, password, rolesNeeded, ...changes } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    throwIf(whyCannotUpdateTeam(team, changes, ctx.user))
    if (rolesNeeded) await updateRolesNeeded(tx, id, rolesNeeded)
    await updateTeamRow(tx, team, changes)
    if (ctx.user.role === 'admin') await notifyTeamChange(tx, ctx, team, changes)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.update', details: { changed: { ...changes, rolesNeeded } } })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}

async function updateRolesNeeded(tx: Tx, teamId: string, rolesNeeded: { id: string }[]): Promise<void> {
  const ids = [...new Set(rolesNeeded.map(({ id }) => id))]
  const existing = await findExistingRoleIds(tx, ids)
  if (existing.size < ids.length) throw new AppError(appErrors.roleUnknown)
  await replaceRolesNeeded(tx, teamId, ids)
}
