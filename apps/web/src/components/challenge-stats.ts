import { type Challenge, isOpen } from '@community/contract'

interface ChallengeStats {
  total: number
  /** Active flag set and deadline ahead. */
  active: number
  /** Deadline passed. */
  expired: number
  points: number
  submissions: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The statistics of a complete list of challenges. */
export function challengeStats(challenges: readonly Challenge[], now: Date): ChallengeStats {
  return {
    total: challenges.length,
    active: challenges.filter((challenge) => isOpen(challenge, now)).length,
    expired: challenges.filter((challenge) => Date.parse(challenge.deadline) <= now.getTime()).length,
    points: sum(challenges.map((challenge) => challenge.points)),
    submissions: sum(challenges.map((challenge) => challenge.submissionCount)),
  }
}
