import {
  type ErrorDefinition,
  evaluationChanged,
  notEvaluated,
  notPending,
  notRejected,
  ownTeam,
  submitterOnly,
} from '../error-catalogue.ts'

/** The points of an approved submission: the challenge's points times the score in percent, halves rounded up. */
export const pointsFor = (challengePoints: number, score: number): number =>
  Math.floor((challengePoints * score + 50) / 100)

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F'

/** Expects a score from 1 to 100. */
export function gradeOf(score: number): Grade {
  if (score >= 90) return 'A'
  if (score >= 80) return 'B'
  if (score >= 70) return 'C'
  if (score >= 60) return 'D'
  return 'F'
}

interface ScoredSubmission {
  challengeId: string
  status: string
  points: number | null
}

/** A team's standing: each challenge counts once, with its best approved submission. */
export function standingOf(submissions: readonly ScoredSubmission[]): { points: number; challengesCompleted: number } {
  const best = new Map<string, number>()
  for (const { challengeId, status, points } of submissions)
    if (status === 'approved' && points !== null) best.set(challengeId, Math.max(best.get(challengeId) ?? 0, points))
  return { points: [...best.values()].reduce((sum, points) => sum + points, 0), challengesCompleted: best.size }
}

/** Why an administrator cannot evaluate a submission; null if they can. */
export function whyCannotEvaluate(
  submission: { status: string },
  evaluator: { isOrWasInTeam: boolean },
): ErrorDefinition | null {
  if (evaluator.isOrWasInTeam) return ownTeam
  if (submission.status !== 'pending') return notPending
  return null
}

/** Why an administrator cannot revoke a verdict, that of `expectedAt` if it is given; null if they can. */
export function whyCannotReset(
  submission: { evaluatedAt: Date | null },
  evaluator: { isOrWasInTeam: boolean },
  expectedAt?: string,
): ErrorDefinition | null {
  if (evaluator.isOrWasInTeam) return ownTeam
  if (submission.evaluatedAt === null) return notEvaluated
  return expectedAt === undefined || expectedAt === submission.evaluatedAt.toISOString() ? null : evaluationChanged
}

/** Why a team member cannot resubmit a submission; null if they can. Does not check the challenge. */
export function whyCannotResubmit(
  submission: { status: string; submittedBy: string | null },
  member: { id: string; isChef: boolean },
): ErrorDefinition | null {
  if (!member.isChef && submission.submittedBy !== member.id) return submitterOnly
  return submission.status === 'rejected' ? null : notRejected
}
