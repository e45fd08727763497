import { type contract, appErrors, type ParsedInput, pointsFor, whyCannotEvaluate } from '@community/contract'
import { inLockedTransaction, type LockingTx } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit, auditAward } from '../admin/audit.ts'
import { AppError, throwIf } from '../errors.ts'
import { notifyTopThree } from '../notifications/notify-team.ts'
import { notifyVerdict } from '../notifications/notify-work.ts'
import { emitSubmission } from '../webhooks/emit.ts'
import { assertWork, lockUserAndSubmission } from './lock-user-and-submission.ts'
import { type Verdict, writeVerdict } from './commands.ts'
import { findSubmission } from './queries.ts'
import { recalculateStanding, UNCHANGED } from './standing-commands.ts'
import { toSubmission } from './views.ts'
import { assertAdmin } from '../users/lock-user.ts'

type EvaluateRoute = typeof contract.submissions.evaluate

/** Approves or rejects a pending submission. Approval awards points from the challenge's current points, in the same transaction. */
export const evaluateSubmission: UseCase<typeof contract.submissions.evaluate> = (ctx, input) => {
  const judge = ctx.user
  // PostgreSQL starts the read after it granted the locks: it sees what was committed meanwhile.
  const lock = (tx: LockingTx) =>
    Promise.all([lockUserAndSubmission(tx, judge.id, input.id), findSubmission(tx, input.id, judge)])
  return inLockedTransaction(ctx.db, lock, async (tx, [locked, row]) => {
    assertAdmin(locked.user)
    const work = assertWork(locked.work)
    if (!row) throw new Error('a locked submission is missing')
    const { team, challenge, submission } = work
    const { id, teamId, challengeId } = submission
    throwIf(whyCannotEvaluate(submission, { isOrWasInTeam: !row.canEvaluate }))

    const verdict = toVerdict(input, challenge.points, judge.id)
    const { status, score, points } = verdict
    const isApproved = status === 'approved'
    const entry = { teamId, challengeId, submissionId: id, reason: 'award' as const }
    const details = { teamId, challengeId, status, score, points }
    const audited = { action: 'submissions.evaluate', targetId: id }
    // In this order: each statement sees what those before it wrote.
    const [written, { topRank }] = await Promise.all([
      writeVerdict(tx, id, verdict),
      isApproved ? recalculateStanding(tx, entry) : UNCHANGED,
      notifyVerdict(tx, work, verdict),
      isApproved
        ? auditAward(tx, ctx, { ...audited, details })
        : audit(tx, ctx, { ...audited, details: { ...details, delta: 0 } }),
    ])
    if (!written) throw new AppError(appErrors.notPending)
    const { hasListeners, ...times } = written
    await Promise.all([
      topRank !== null && notifyTopThree(tx, team, topRank, judge.id),
      hasListeners && emitSubmission(tx, `submission.${status}`, submission, { status, score, points }),
    ])
    return { submission: toSubmission({ ...row, ...verdict, evaluatedBy: judge, ...times }, ctx) }
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
