import { type contract, appErrors, type Output, type Parsed, pointsFor, whyCannotEvaluate } from '@community/contract'
import { inTransaction } from '@community/db'
import { audit } from '../admin/audit.ts'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { lockSubmissionWithParents } from './lock-submission-with-parents.ts'
import { isOrWasInTeam, settleStanding, type Verdict, writeVerdict } from './commands.ts'
import { viewSubmission } from './views.ts'
import { lockAdmin } from '../users/lock-user.ts'

type Evaluate = typeof contract.submissions.evaluate

/** Approves or rejects a pending submission. Approval awards points from the challenge's current points, in the same transaction. */
export function evaluateSubmission(ctx: MemberContext, input: Parsed<Evaluate>): Promise<Output<Evaluate>> {
  return inTransaction(ctx.db, async (tx) => {
    const judge = ctx.user
    await lockAdmin(tx, ctx)
    const { challenge, submission } = await lockSubmissionWithParents(tx, input.id)
    const { id, teamId, challengeId } = submission
    throwIf(whyCannotEvaluate(submission, { isOrWasInTeam: await isOrWasInTeam(tx, id, judge.id) }))

    const verdict = verdictOf(input, challenge.points, judge.id)
    const entry = { teamId, challengeId, submissionId: id, reason: 'award' as const }
    const [isWritten, delta] = await Promise.all([
      writeVerdict(tx, id, verdict),
      verdict.status === 'approved' ? settleStanding(tx, entry) : 0,
    ])
    if (!isWritten) throw new AppError(appErrors.notPending)
    const { status, score, points } = verdict
    const [, view] = await Promise.all([
      audit(tx, ctx, {
        action: 'submissions.evaluate',
        targetType: 'submission',
        targetId: id,
        details: { teamId, challengeId, status, score, points, delta },
      }),
      viewSubmission(tx, id, judge),
    ])
    return { submission: view }
  })
}

/** Ignores the score of a rejection; blank feedback becomes null. */
function verdictOf(input: Parsed<Evaluate>, challengePoints: number, evaluatedBy: string): Verdict {
  const feedback = input.feedback === '' ? null : input.feedback
  if (input.status === 'rejected' || input.score === undefined)
    return { status: 'rejected', score: null, points: null, feedback, evaluatedBy }
  const { score } = input
  return { status: 'approved', score, points: pointsFor(challengePoints, score), feedback, evaluatedBy }
}
