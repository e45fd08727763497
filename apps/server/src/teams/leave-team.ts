import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { type AuthenticatedContext, setMessage } from '../context.ts'
import { AppError } from '../errors.ts'
import { findMemberships } from './commands.ts'
import { lockUserAndTeam } from './lock-user-and-team.ts'
import { removeMember } from './remove-member.ts'

type LeaveRoute = typeof contract.teams.leave

/** Removes the caller. A leaving chef is followed by the longest-standing member; without members the team becomes inactive. */
export async function leaveTeam(
  ctx: AuthenticatedContext,
  { id }: ParsedInput<LeaveRoute>,
): Promise<Output<LeaveRoute>> {
  const departure = await inTransaction(ctx.db, async (tx) => {
    const { user, team } = await lockUserAndTeam(tx, ctx.user.id, id)
    if (!user) throw new AppError(appErrors.notSignedIn)
    if (!team) throw new AppError(appErrors.teamMissing)
    return removeMember(tx, team, await findMemberships(tx, id), ctx.user.id, { reason: 'left' })
  })
  if (!departure) throw new AppError(appErrors.notAMember)
  if (departure.newChefId)
    setMessage(ctx, 'You have left the team. The oldest remaining member is now the new team chef.')
  return {}
}
