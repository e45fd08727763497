import { type contract, faults, type Output, type Parsed, pointsFor, whyCannotEvaluate } from '@community/contract'
import { inTransaction } from '@community/db'
import { audit } from '../admin/audit.ts'
import { lockAdmin } from '../admin/lock-target.ts'
import type { MemberContext } from '../context.ts'
import { Refusal, refuse } from '../errors.ts'
import { lockWithPlace } from './lock-with-place.ts'
import { isOrWasInTeam, settleStanding, type Verdict, writeVerdict } from './store.ts'
import { viewSubmission } from './views.ts'

type Evaluate = typeof contract.submissions.evaluate

/**
 * Gives the one verdict a pending submission gets. Approval freezes what it earned by the challenge's points of now and
 * settles the team's standing in the same transaction.
 */
export function evaluateSubmission(ctx: MemberContext, input: Parsed<Evaluate>): Promise<Output<Evaluate>> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const judge = ctx.user
    const { challenge, submission } = await lockWithPlace(tx, input.id)
    const { teamId, challengeId } = submission
    refuse(whyCannotEvaluate(submission, { isOrWasInTeam: await isOrWasInTeam(tx, teamId, judge.id) }))

    const verdict = verdictOf(input, challenge.points, judge.id)
    if (!(await writeVerdict(tx, submission.id, verdict))) throw new Refusal(faults.notPending)
    const entry = { teamId, challengeId, submissionId: submission.id, reason: 'award' as const }
    const delta = verdict.status === 'approved' ? await settleStanding(tx, entry) : 0
    await audit(tx, ctx, {
      action: 'submissions.evaluate',
      targetType: 'submission',
      targetId: submission.id,
      details: { teamId, challengeId, status: verdict.status, score: verdict.score, points: verdict.points, delta },
    })
    return { submission: await viewSubmission(tx, submission.id, ctx.user) }
  })
}

/** A score counts only in an approval; feedback left blank is none. */
function verdictOf(input: Parsed<Evaluate>, challengePoints: number, evaluatedBy: string): Verdict {
  const feedback = input.feedback === '' ? null : input.feedback
  if (input.status === 'rejected' || input.score === undefined)
    return { status: 'rejected', score: null, points: null, feedback, evaluatedBy }
  const { score } = input
  return { status: 'approved', score, points: pointsFor(challengePoints, score), feedback, evaluatedBy }
}
