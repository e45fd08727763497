import { type contract, appErrors } from '@community/contract'
import { inLockedTransaction, type LockingTx } from '@community/db'
import { setMessage, type UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findMemberships } from './commands.ts'
import { lockUserAndTeam } from './lock-user-and-team.ts'
import { endMembership } from './end-membership.ts'

/** Removes the caller. A leaving chef is followed by the longest-standing member; without members the team becomes inactive. */
export const leaveTeam: UseCase<typeof contract.teams.leave> = async (ctx, { id }) => {
  // PostgreSQL starts the read after it granted the lock: it sees what was committed meanwhile.
  const lock = (tx: LockingTx) => Promise.all([lockUserAndTeam(tx, ctx.user.id, id), findMemberships(tx, id)])
  const departure = await inLockedTransaction(ctx.db, lock, async (tx, [{ user, team }, members]) => {
    if (!user) throw new AppError(appErrors.notSignedIn)
    if (!team) throw new AppError(appErrors.teamMissing)
    return endMembership(tx, team, members, { userId: ctx.user.id, reason: 'left', actorId: ctx.user.id })
  })
  if (!departure) throw new AppError(appErrors.notAMember)
  if (departure.newChefId)
    setMessage(ctx, 'You have left the team. The oldest remaining member is now the new team chef.')
  return {}
}
