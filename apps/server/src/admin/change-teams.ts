import { type contract, type EmptyData, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteWithWork } from '../teams/delete-team.ts'
import { removeMember } from '../teams/remove-member.ts'
import { type LockedTeam, lockTeam, findMemberships, type TeamChange, updateTeamRow } from '../teams/commands.ts'
import { loadTeam } from '../teams/views.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { notifyTeamChange } from '../notifications/notify-team.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

type AdminRoutes = typeof contract.admin

async function lockTeamAsAdmin(tx: Tx, ctx: AuthenticatedContext, id: string): Promise<LockedTeam> {
  await lockAdmin(tx, ctx)
  const team = await lockTeam(tx, id)
  if (!team) throw new AppError(appErrors.teamMissing)
  return team
}

const auditTeam = (
  tx: Tx,
  ctx: AuthenticatedContext,
  action: string,
  team: LockedTeam,
  details: Record<string, unknown> = {},
) => audit(tx, ctx, { action, targetId: team.id, details: { name: team.name, ...details } })

/** Updates a team as an administrator. */
function changeTeam(ctx: AuthenticatedContext, action: string, id: string, changes: TeamChange) {
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    if (changes.isActive && team.memberCount === 0) throw new AppError(appErrors.teamEmpty)
    await updateTeamRow(tx, team, changes)
    await notifyTeamChange(tx, ctx, team, changes)
    await auditTeam(tx, ctx, action, team, { changed: changes })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}

/** A unique index rejects a taken name. */
export const renameTeam = (
  ctx: AuthenticatedContext,
  { id, name }: ParsedInput<AdminRoutes['renameTeam']>,
): Promise<Output<AdminRoutes['renameTeam']>> => changeTeam(ctx, 'admin.renameTeam', id, { name })

export const activateTeam = (
  ctx: AuthenticatedContext,
  { id }: ParsedInput<AdminRoutes['activateTeam']>,
): Promise<Output<AdminRoutes['activateTeam']>> => changeTeam(ctx, 'admin.activateTeam', id, { isActive: true })

export const deactivateTeam = (
  ctx: AuthenticatedContext,
  { id }: ParsedInput<AdminRoutes['deactivateTeam']>,
): Promise<Output<AdminRoutes['deactivateTeam']>> => changeTeam(ctx, 'admin.deactivateTeam', id, { isActive: false })

/** Deletes a team with its submissions, files and points. */
export async function deleteTeamAsAdmin(
  ctx: AuthenticatedContext,
  { id }: ParsedInput<AdminRoutes['deleteTeam']>,
): Promise<EmptyData> {
  await deleteWithObjects(ctx, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    await auditTeam(tx, ctx, 'admin.deleteTeam', team)
    return deleteWithWork(tx, team, ctx.user.id)
  })
  return {}
}

/** Removes a member by the rules of leaving: the longest-standing member follows a chef. */
export function removeTeamMemberAsAdmin(
  ctx: AuthenticatedContext,
  { id, userId }: ParsedInput<AdminRoutes['removeTeamMember']>,
): Promise<Output<AdminRoutes['removeTeamMember']>> {
  if (userId === ctx.user.id) throw new AppError(appErrors.ownAccount)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    const departure = await removeMember(tx, team, await findMemberships(tx, id), userId, {
      reason: 'removed',
      actorId: ctx.user.id,
    })
    if (!departure) throw new AppError(appErrors.memberMissing)
    await auditTeam(tx, ctx, 'admin.removeTeamMember', team, { userId, ...departure })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}
