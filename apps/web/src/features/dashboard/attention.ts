import { type Challenge, deadlineState, isOpen, type Submission, type Team } from '@community/contract'
import { hideSuperseded } from '../../components/hide-superseded.ts'
import { verdictId } from './read-verdicts.ts'

/** `wasRejected`: the team's earlier submission was rejected. */
interface OpenChallenge {
  kind: 'deadline'
  id: string
  challenge: Challenge
  wasRejected: boolean
}
export interface Verdict {
  kind: 'verdict'
  id: string
  submission: Submission
}
/** Something that needs the user's attention. */
export type Attention = OpenChallenge | Verdict

/** Days during which a verdict needs attention. */
const VERDICT_DAYS = 7

interface AttentionInput {
  teams: readonly Team[]
  /** The submissions of these teams. */
  submissions: readonly Submission[]
  /** Open challenges. */
  challenges: readonly Challenge[]
  /** Ids of the verdicts that the user has read. */
  read: ReadonlySet<string>
  now: Date
}

/**
 * Recent unread verdicts, the newest first, except rejections that the same team has followed up; then near deadlines if the
 * user is in an active team, the nearest first.
 */
export function findAttention(input: AttentionInput): Attention[] {
  return [...unreadVerdicts(input), ...nearDeadlines(input)]
}

const nearDeadlines = (input: AttentionInput): Attention[] =>
  openChallenges(input).filter(({ challenge }) => deadlineState(challenge.deadline, input.now) === 'approaching')

/** Open challenges that no own team has entered, the nearest deadline first; none without an active team. */
export function openChallenges({ teams, submissions, challenges, now }: Omit<AttentionInput, 'read'>): OpenChallenge[] {
  // Any member may submit for their team, not only its chef.
  if (!teams.some((team) => team.isActive)) return []
  const challengeIdsOf = (isRejected: boolean) =>
    new Set(
      submissions
        .filter(({ status }) => (status === 'rejected') === isRejected)
        .map(({ challengeId }) => challengeId.id),
    )
  const [entered, rejected] = [challengeIdsOf(false), challengeIdsOf(true)]
  return challenges
    .filter((challenge) => !entered.has(challenge.id) && isOpen(challenge, now))
    .toSorted((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline))
    .map((challenge) => ({
      kind: 'deadline',
      id: challenge.id,
      challenge,
      wasRejected: rejected.has(challenge.id),
    }))
}

/** Verdicts of the last days that the user has not read, the newest first. */
export function unreadVerdicts({
  submissions,
  read,
  now,
}: Pick<AttentionInput, 'submissions' | 'read' | 'now'>): Verdict[] {
  const since = now.getTime() - VERDICT_DAYS * 86_400_000
  return hideSuperseded(submissions)
    .filter(
      (submission) =>
        submission.evaluatedAt !== null &&
        Date.parse(submission.evaluatedAt) >= since &&
        !read.has(verdictId(submission)),
    )
    .toSorted((a, b) => Date.parse(b.evaluatedAt ?? '') - Date.parse(a.evaluatedAt ?? ''))
    .map((submission) => ({ kind: 'verdict', id: verdictId(submission), submission }))
}
