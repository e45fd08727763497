import { type contract, appErrors } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { type AuthenticatedContext, setMessage, type UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteWithWork } from '../teams/delete-team.ts'
import { endMembership } from '../teams/end-membership.ts'
import { type LockedTeam, lockTeam, findMemberships, type TeamChange, updateTeamRow } from '../teams/commands.ts'
import { loadTeam } from '../teams/views.ts'
import { deleteWithObjects } from '../uploads/remove-objects.ts'
import { notifyTeamChange } from '../notifications/notify-team.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

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
export const renameTeam: UseCase<typeof contract.admin.renameTeam> = (ctx, { id, name }) =>
  changeTeam(ctx, 'admin.renameTeam', id, { name })

export const activateTeam: UseCase<typeof contract.admin.activateTeam> = (ctx, { id }) =>
  changeTeam(ctx, 'admin.activateTeam', id, { isActive: true })

export const deactivateTeam: UseCase<typeof contract.admin.deactivateTeam> = (ctx, { id }) =>
  changeTeam(ctx, 'admin.deactivateTeam', id, { isActive: false })

/** Deletes a team with its submissions, files and points. */
export const deleteTeamAsAdmin: UseCase<typeof contract.admin.deleteTeam> = async (ctx, { id }) => {
  await deleteWithObjects(ctx, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    await auditTeam(tx, ctx, 'admin.deleteTeam', team)
    return deleteWithWork(tx, team, ctx.user.id)
  })
  return {}
}

/** Removes a member by the rules of leaving: the longest-standing member follows a chef. */
export const removeTeamMemberAsAdmin: UseCase<typeof contract.admin.removeTeamMember> = (ctx, { id, userId }) => {
  if (userId === ctx.user.id) throw new AppError(appErrors.ownAccount)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    const members = await findMemberships(tx, id)
    const member = members.find((each) => each.userId === userId)
    if (!member) throw new AppError(appErrors.memberMissing)
    const departure = await endMembership(tx, team, members, { userId, reason: 'removed', actorId: ctx.user.id })
    setMessage(ctx, `${member.name} removed from ${team.name}`)
    await auditTeam(tx, ctx, 'admin.removeTeamMember', team, { userId, ...departure })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}
