import { type Challenge, deadlineState, type Submission, type Team } from '@community/contract'
import { standingApplications } from '../../components/standing-applications.ts'
import { verdictId } from './read-verdicts.ts'

/** Something a member should look at first. */
export type Attention =
  /** `isAgain`: what was handed in for it was rejected. */
  | { kind: 'deadline'; id: string; challenge: Challenge; isAgain: boolean }
  | { kind: 'verdict'; id: string; submission: Submission }

/** Days for which a verdict counts as news. */
const NEWS_DAYS = 7

interface Known {
  teams: readonly Team[]
  /** What these teams handed in, the newest first. */
  submissions: readonly Submission[]
  /** Open ones. */
  challenges: readonly Challenge[]
  /** Ids of verdicts that were read already. */
  read: ReadonlySet<string>
  now: Date
}

/**
 * Deadlines that are near for who is in an active team, the nearest first; then unread verdicts of the last days, the newest first,
 * without rejected work that the same team has followed up.
 */
export function needsAttention(known: Known): Attention[] {
  return [...nearDeadlines(known), ...freshVerdicts(known)]
}

function nearDeadlines({ teams, submissions, challenges, now }: Known): Attention[] {
  // Any member may submit for their team, not its chef alone.
  if (!teams.some((team) => team.isActive)) return []
  const idsWhere = (isRejected: boolean) =>
    new Set(
      submissions
        .filter(({ status }) => (status === 'rejected') === isRejected)
        .map(({ challengeId }) => challengeId.id),
    )
  const [standing, rejected] = [idsWhere(false), idsWhere(true)]
  return challenges
    .filter(({ id, deadline }) => !standing.has(id) && deadlineState(deadline, now) === 'approaching')
    .toSorted((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline))
    .map((challenge) => ({ kind: 'deadline', id: challenge.id, challenge, isAgain: rejected.has(challenge.id) }))
}

function freshVerdicts({ submissions, read, now }: Known): Attention[] {
  const since = now.getTime() - NEWS_DAYS * 86_400_000
  return standingApplications(submissions)
    .filter((one) => one.evaluatedAt !== null && Date.parse(one.evaluatedAt) >= since && !read.has(verdictId(one)))
    .toSorted((a, b) => Date.parse(b.evaluatedAt ?? '') - Date.parse(a.evaluatedAt ?? ''))
    .map((submission) => ({ kind: 'verdict', id: verdictId(submission), submission }))
}
