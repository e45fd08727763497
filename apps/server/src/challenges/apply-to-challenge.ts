import { type contract, appErrors } from '@community/contract'
import { inLockedTransaction, type LockingTx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { assertActive } from '../users/lock-user.ts'
import { lockApplication, readApplicationState } from './commands.ts'
import { submitWork } from './submit-work.ts'

/** Applies to a challenge on behalf of a team; only its chef can. */
export const applyToChallenge: UseCase<typeof contract.challenges.applyTo> = (ctx, input) => {
  const ids = { userId: ctx.user.id, teamId: input.teamId, challengeId: input.id }
  // PostgreSQL starts the read after it granted the locks: it sees what was committed meanwhile.
  const lock = (tx: LockingTx) =>
    Promise.all([lockApplication(tx, ids), readApplicationState(tx, ids.teamId, ids.challengeId)])
  return inLockedTransaction(ctx.db, lock, async (tx, [{ user, team, challenge }, state]) => {
    const { id } = assertActive(user)
    if (!team) throw new AppError({ ...appErrors.teamMissing, path: 'teamId' })
    const work = { ...input, notes: input.applicationNotes, canSubmit: team.ownerId === id }
    return submitWork(tx, ctx, { team, challenge, state }, work)
  })
}
