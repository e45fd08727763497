import { type contract, appErrors, type Output, type Parsed, whyCannotUpdateTeam } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { auditIfAdmin, confirmIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { knownRoleIds, replaceRolesNeeded, writeTeam } from './commands.ts'
import { viewTeam } from './views.ts'

type Update = typeof contract.teams.update

/** Renames, edits or deactivates a team; for the chef, or an administrator with their password. */
export async function updateTeam(ctx: MemberContext & PasswordContext, input: Parsed<Update>): Promise<Output<Update>> {
  const { id, password, rolesNeeded, ...change } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    throwIf(whyCannotUpdateTeam(team, change, ctx.user))
    if (rolesNeeded) await changeRoles(tx, id, rolesNeeded)
    await writeTeam(tx, team, change)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.update', details: { changed: { ...change, rolesNeeded } } })
    return { team: await viewTeam(tx, id) }
  })
}

async function changeRoles(tx: Tx, teamId: string, rolesNeeded: { id: string }[]): Promise<void> {
  const ids = [...new Set(rolesNeeded.map(({ id }) => id))]
  const known = await knownRoleIds(tx, ids)
  if (known.size < ids.length) throw new AppError(appErrors.roleUnknown)
  await replaceRolesNeeded(tx, teamId, ids)
}
