import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { type AuthenticatedContext, setMessage } from '../context.ts'
import { AppError } from '../errors.ts'
import { removeMember } from './remove-member.ts'
import { lockTeam, findMemberships } from './commands.ts'
import { lockUser } from '../users/lock-user.ts'

type LeaveRoute = typeof contract.teams.leave

/** Removes the caller. A leaving chef is followed by the longest-standing member; without members the team becomes inactive. */
export async function leaveTeam(
  ctx: AuthenticatedContext,
  { id }: ParsedInput<LeaveRoute>,
): Promise<Output<LeaveRoute>> {
  const departure = await inTransaction(ctx.db, async (tx) => {
    if (!(await lockUser(tx, ctx.user.id, 'share'))) throw new AppError(appErrors.notSignedIn)
    const team = await lockTeam(tx, id)
    if (!team) throw new AppError(appErrors.teamMissing)
    return removeMember(tx, team, await findMemberships(tx, id), ctx.user.id, { reason: 'left' })
  })
  if (!departure) throw new AppError(appErrors.notAMember)
  if (departure.newChefId)
    setMessage(ctx, 'You have left the team. The oldest remaining member is now the new team chef.')
  return {}
}
