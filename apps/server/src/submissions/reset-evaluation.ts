import { type contract, appErrors, whyCannotReset, withMessage } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit } from '../admin/audit.ts'
import { appliedWithOtherTeamError } from '../challenges/submit-work.ts'
import { type LockedChallenge, readApplicationState } from '../challenges/commands.ts'
import { AppError, throwIf } from '../errors.ts'
import { notifyWork } from '../notifications/notify-work.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { type LockedSubmission, assertWork, lockUserAndSubmission } from './lock-user-and-submission.ts'
import { isOrWasInTeam, hasSnapshotMemberAppliedElsewhere, resetToPending } from './commands.ts'
import { recalculateStanding, UNCHANGED } from './standing-commands.ts'
import { loadSubmission } from './views.ts'
import { assertAdmin } from '../users/lock-user.ts'

/** A rejected submission needs a free slot to become pending again. */
async function assertFreeSlot(tx: Tx, challenge: LockedChallenge, submission: LockedSubmission): Promise<void> {
  if (submission.status !== 'rejected') return
  const { usedSlots } = await readApplicationState(tx, submission.teamId, challenge.id)
  if (usedSlots >= challenge.maxSubmissions) {
    // For the administrator, who is not the one who applied.
    throw new AppError(
      withMessage(
        appErrors.alreadyApplied,
        'This challenge allows no more submissions of this team. Reject or delete another one first.',
      ),
    )
  }
  if (await hasSnapshotMemberAppliedElsewhere(tx, submission))
    throw new AppError(appliedWithOtherTeamError(challenge.title))
}

/** Revokes a verdict: the submission is pending again and its points are removed. */
export const resetEvaluation: UseCase<typeof contract.submissions.resetEvaluation> = (ctx, { id, evaluatedAt }) =>
  inTransaction(ctx.db, async (tx) => {
    const locked = await lockUserAndSubmission(tx, ctx.user.id, id)
    assertAdmin(locked.user)
    const work = assertWork(locked.work)
    const { challenge, submission } = work
    throwIf(whyCannotReset(submission, { isOrWasInTeam: await isOrWasInTeam(tx, id, ctx.user.id) }, evaluatedAt))
    await assertFreeSlot(tx, challenge, submission)
    await resetToPending(tx, id)
    const { teamId, challengeId, status } = submission
    const { delta } =
      status === 'approved'
        ? await recalculateStanding(tx, { teamId, challengeId, submissionId: id, reason: 'reset' })
        : UNCHANGED
    await audit(tx, ctx, {
      action: 'submissions.resetEvaluation',
      targetId: id,
      details: { teamId, challengeId, before: status, delta },
    })
    await Promise.all([
      emitSubmission(tx, 'submission.reset', submission),
      notifyWork(tx, 'submission.reset', work, ctx.user.id),
    ])
    return { submission: await loadSubmission(tx, id, ctx) }
  })
