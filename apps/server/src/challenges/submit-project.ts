import { type contract, appErrors, nameKey } from '@community/contract'
import { inLockedTransaction, type LockingTx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findMemberships } from '../teams/commands.ts'
import { assertActive } from '../users/lock-user.ts'
import { lockApplication, readApplicationState } from './commands.ts'
import { findOwnTeam } from './queries.ts'
import { submitWork } from './submit-work.ts'

const teamMissing = { ...appErrors.teamMissing, path: 'teamName' }

/** Submits a project for the named team, by any of its members. */
export const submitProject: UseCase<typeof contract.challenges.submit> = async (ctx, input) => {
  const userId = ctx.user.id
  const teamId = await findOwnTeam(ctx.db, userId, nameKey(input.teamName))
  if (teamId === undefined) throw new AppError(teamMissing)
  const ids = { userId, teamId, challengeId: input.id }
  // PostgreSQL starts the reads after it granted the locks: they see what was committed meanwhile.
  const lock = (tx: LockingTx) =>
    Promise.all([
      lockApplication(tx, ids),
      readApplicationState(tx, teamId, ids.challengeId),
      findMemberships(tx, teamId),
    ])
  return inLockedTransaction(ctx.db, lock, async (tx, [{ user, team, challenge }, state, members]) => {
    assertActive(user)
    // They may have left before the lock was granted.
    if (!team || !members.some((member) => member.userId === userId)) throw new AppError(teamMissing)
    return submitWork(tx, ctx, { team, challenge, state }, { ...input, notes: input.submissionNotes, canSubmit: true })
  })
}
