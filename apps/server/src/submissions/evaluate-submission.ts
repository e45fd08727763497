import {
  type contract,
  appErrors,
  type Output,
  type ParsedInput,
  pointsFor,
  whyCannotEvaluate,
} from '@community/contract'
import { inTransaction } from '@community/db'
import { audit } from '../admin/audit.ts'
import type { AuthenticatedContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { notifyTopThree } from '../notifications/notify-team.ts'
import { notifyVerdict } from '../notifications/notify-work.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { lockSubmissionWithParents } from './lock-submission-with-parents.ts'
import { isOrWasInTeam, recalculateStanding, UNCHANGED, type Verdict, writeVerdict } from './commands.ts'
import { loadSubmission } from './views.ts'
import { lockAdmin } from '../users/lock-user.ts'

type EvaluateRoute = typeof contract.submissions.evaluate

/** Approves or rejects a pending submission. Approval awards points from the challenge's current points, in the same transaction. */
export function evaluateSubmission(
  ctx: AuthenticatedContext,
  input: ParsedInput<EvaluateRoute>,
): Promise<Output<EvaluateRoute>> {
  return inTransaction(ctx.db, async (tx) => {
    const judge = ctx.user
    await lockAdmin(tx, ctx)
    const { team, challenge, submission } = await lockSubmissionWithParents(tx, input.id)
    const { id, teamId, challengeId } = submission
    throwIf(whyCannotEvaluate(submission, { isOrWasInTeam: await isOrWasInTeam(tx, id, judge.id) }))

    const verdict = toVerdict(input, challenge.points, judge.id)
    const entry = { teamId, challengeId, submissionId: id, reason: 'award' as const }
    const [isWritten, { delta, topRank }] = await Promise.all([
      writeVerdict(tx, id, verdict),
      verdict.status === 'approved' ? recalculateStanding(tx, entry) : UNCHANGED,
    ])
    if (!isWritten) throw new AppError(appErrors.notPending)
    const { status, score, points } = verdict
    const [, , view] = await Promise.all([
      audit(tx, ctx, {
        action: 'submissions.evaluate',
        targetId: id,
        details: { teamId, challengeId, status, score, points, delta },
      }),
      emitSubmission(tx, `submission.${status}`, submission, { status, score, points }),
      loadSubmission(tx, id, judge),
      notifyVerdict(tx, { team, challenge, submission }, verdict),
      topRank !== null && notifyTopThree(tx, team, topRank, judge.id),
    ])
    return { submission: view }
  })
}

/** Ignores the score of a rejection; blank feedback becomes null. */
function toVerdict(input: ParsedInput<EvaluateRoute>, challengePoints: number, evaluatedBy: string): Verdict {
  const feedback = input.feedback === '' ? null : input.feedback
  if (input.status === 'rejected' || input.score === undefined)
    return { status: 'rejected', score: null, points: null, feedback, evaluatedBy }
  const { score } = input
  return { status: 'approved', score, points: pointsFor(challengePoints, score), feedback, evaluatedBy }
}
