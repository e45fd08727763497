import { type Challenge, daysLeft, deadlineState, type Submission, type Team } from '@community/contract'

/** Something a member should look at first. */
export type Attention =
  | { kind: 'deadline'; id: string; challenge: Challenge; days: number }
  | { kind: 'verdict'; id: string; submission: Submission }

/** Days for which a verdict counts as news. */
const NEWS_DAYS = 7
const MOST = 5

interface Known {
  userId: string
  teams: readonly Team[]
  applications: readonly Submission[]
  /** Open ones. */
  challenges: readonly Challenge[]
  now: Date
}

/** Deadlines that are near for who could still apply, the nearest first; then verdicts of the last days, the newest first. */
export function needsAttention({ userId, teams, applications, challenges, now }: Known): Attention[] {
  const leads = teams.some((team) => team.ownerId === userId && team.isActive)
  const entered = new Set(
    applications.flatMap(({ status, challengeId }) => (status === 'rejected' ? [] : [challengeId.id])),
  )
  const near = challenges
    .filter(({ id, deadline }) => leads && !entered.has(id) && deadlineState(deadline, now) === 'approaching')
    .toSorted((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline))
    .map(
      (challenge): Attention => ({
        kind: 'deadline',
        id: challenge.id,
        challenge,
        days: daysLeft(challenge.deadline, now),
      }),
    )
  const since = now.getTime() - NEWS_DAYS * 86_400_000
  const judged = applications
    .filter(({ evaluatedAt }) => evaluatedAt !== null && Date.parse(evaluatedAt) >= since)
    .toSorted((a, b) => Date.parse(b.evaluatedAt ?? '') - Date.parse(a.evaluatedAt ?? ''))
    .map((submission): Attention => ({ kind: 'verdict', id: submission.id, submission }))
  return [...near, ...judged].slice(0, MOST)
}
