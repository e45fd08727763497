import { type contract, type EmptyData, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteWithWork } from '../teams/delete-team.ts'
import { removeMember } from '../teams/remove-member.ts'
import { type LockedTeam, lockTeam, membershipsOf, type TeamChange, writeTeam } from '../teams/commands.ts'
import { viewTeam } from '../teams/views.ts'
import { removeObjects } from '../uploads/remove-objects.ts'
import { audit } from './audit.ts'
import { lockAdmin } from '../users/lock-user.ts'

type Calls = typeof contract.admin

async function lockTeamAsAdmin(tx: Tx, ctx: MemberContext, id: string): Promise<LockedTeam> {
  await lockAdmin(tx, ctx)
  const team = await lockTeam(tx, id)
  if (!team) throw new AppError(appErrors.teamMissing)
  return team
}

const auditTeam = (
  tx: Tx,
  ctx: MemberContext,
  action: string,
  team: LockedTeam,
  details: Record<string, unknown> = {},
) => audit(tx, ctx, { action, targetType: 'team', targetId: team.id, details: { name: team.name, ...details } })

/** Updates a team as an administrator. */
function change(ctx: MemberContext, action: string, id: string, wanted: TeamChange) {
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    if (wanted.isActive && team.memberCount === 0) throw new AppError(appErrors.teamEmpty)
    await writeTeam(tx, team, wanted)
    await auditTeam(tx, ctx, action, team, { changed: wanted })
    return { team: await viewTeam(tx, id) }
  })
}

/** A unique index rejects a taken name. */
export const renameTeam = (
  ctx: MemberContext,
  { id, name }: Parsed<Calls['renameTeam']>,
): Promise<Output<Calls['renameTeam']>> => change(ctx, 'admin.renameTeam', id, { name })

export const activateTeam = (
  ctx: MemberContext,
  { id }: Parsed<Calls['activateTeam']>,
): Promise<Output<Calls['activateTeam']>> => change(ctx, 'admin.activateTeam', id, { isActive: true })

export const deactivateTeam = (
  ctx: MemberContext,
  { id }: Parsed<Calls['deactivateTeam']>,
): Promise<Output<Calls['deactivateTeam']>> => change(ctx, 'admin.deactivateTeam', id, { isActive: false })

/** Deletes a team with its submissions, files and points. */
export async function deleteTeamAsAdmin(ctx: MemberContext, { id }: Parsed<Calls['deleteTeam']>): Promise<EmptyData> {
  const keys = await inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    await auditTeam(tx, ctx, 'admin.deleteTeam', team)
    return deleteWithWork(tx, team)
  })
  await removeObjects(ctx.deps, keys)
  return {}
}

/** Removes a member by the rules of leaving: the longest-standing member follows a chef. */
export function removeTeamMemberAsAdmin(
  ctx: MemberContext,
  { id, userId }: Parsed<Calls['removeTeamMember']>,
): Promise<Output<Calls['removeTeamMember']>> {
  if (userId === ctx.user.id) throw new AppError(appErrors.ownAccount)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockTeamAsAdmin(tx, ctx, id)
    const departure = await removeMember(tx, team, await membershipsOf(tx, id), userId)
    if (!departure) throw new AppError(appErrors.memberMissing)
    await auditTeam(tx, ctx, 'admin.removeTeamMember', team, { userId, ...departure })
    return { team: await viewTeam(tx, id) }
  })
}
