import { type contract, appErrors, type Output, type Parsed, whyCannotReset } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { audit } from '../admin/audit.ts'
import { appliedElsewhere } from '../challenges/hand-in.ts'
import { type LockedChallenge, readApplicationFacts } from '../challenges/commands.ts'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { lockSubmissionWithParents } from './lock-submission-with-parents.ts'
import {
  isOrWasInTeam,
  isSnapshotElsewhere,
  type LockedSubmission,
  putBackToPending,
  settleStanding,
} from './commands.ts'
import { viewSubmission } from './views.ts'
import { lockAdmin } from '../users/lock-user.ts'

type Reset = typeof contract.submissions.resetEvaluation

/** A rejected submission needs a free slot to become pending again. */
async function refuseWithoutSlot(tx: Tx, challenge: LockedChallenge, submission: LockedSubmission): Promise<void> {
  if (submission.status !== 'rejected') return
  const { taken } = await readApplicationFacts(tx, submission.teamId, challenge.id)
  if (taken >= challenge.maxSubmissions) throw new AppError(appErrors.alreadyApplied)
  if (await isSnapshotElsewhere(tx, submission)) throw new AppError(appliedElsewhere(challenge.title))
}

/** Revokes a verdict: the submission is pending again and its points are removed. */
export function resetEvaluation(ctx: MemberContext, { id }: Parsed<Reset>): Promise<Output<Reset>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const { challenge, submission } = await lockSubmissionWithParents(tx, id)
    throwIf(whyCannotReset(submission, { isOrWasInTeam: await isOrWasInTeam(tx, id, ctx.user.id) }))
    await refuseWithoutSlot(tx, challenge, submission)
    await putBackToPending(tx, id)
    const { teamId, challengeId, status } = submission
    const delta =
      status === 'approved' ? await settleStanding(tx, { teamId, challengeId, submissionId: id, reason: 'reset' }) : 0
    await audit(tx, ctx, {
      action: 'submissions.resetEvaluation',
      targetType: 'submission',
      targetId: id,
      details: { teamId, challengeId, before: status, delta },
    })
    return { submission: await viewSubmission(tx, id, ctx.user) }
  })
}
