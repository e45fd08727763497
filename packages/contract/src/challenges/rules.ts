import {
  alreadyApplied,
  challengeExpired,
  challengeInactive,
  chefRequired,
  type ErrorDefinition,
  notSignedIn,
  withMessage,
  teamInactive,
} from '../error-catalogue.ts'
import { DAY, DEADLINE_LEAD, DEADLINE_NEAR_DAYS } from '../limits.ts'

interface TimedChallenge {
  isActive: boolean
  deadline: string | Date
}

const toMillis = (instant: string | Date): number => new Date(instant).getTime()

/** Does a challenge accept applications at `now`? At the deadline itself it is closed. */
export const isOpen = (challenge: TimedChallenge, now: Date): boolean =>
  challenge.isActive && toMillis(challenge.deadline) > now.getTime()

/** Whole days until the deadline, rounded up, never below 0. */
export const daysLeft = (deadline: string | Date, now: Date): number =>
  Math.max(0, Math.ceil((toMillis(deadline) - now.getTime()) / (DAY * 1000)))

type DeadlineState = 'expired' | 'approaching' | 'open'

/** `approaching` means 1 to 3 days left. */
export function deadlineState(deadline: string | Date, now: Date): DeadlineState {
  const days = daysLeft(deadline, now)
  if (days === 0) return 'expired'
  return days <= DEADLINE_NEAR_DAYS ? 'approaching' : 'open'
}

/** Is the deadline far enough ahead for a new challenge? */
export const isDeadlineFarEnough = (deadline: string | Date, now: Date): boolean =>
  toMillis(deadline) >= now.getTime() + DEADLINE_LEAD * 1000

interface Applicant {
  /** `apply` requires the chef, `submit` any member of the team. */
  canSubmit: boolean
  isTeamActive: boolean
  /** The team's pending and approved submissions for this challenge. */
  usedSlots: number
}

/** Why a team cannot apply to a challenge; null when it can. */
export function whyCannotApply(
  challenge: TimedChallenge & { maxSubmissions: number },
  applicant: Applicant | null,
  now: Date,
): ErrorDefinition | null {
  if (!applicant) return withMessage(notSignedIn, 'Please sign in to apply to challenges.')
  if (!applicant.canSubmit) return chefRequired
  if (!challenge.isActive) return challengeInactive
  if (!isOpen(challenge, now)) return challengeExpired
  if (!applicant.isTeamActive) return teamInactive
  if (applicant.usedSlots >= challenge.maxSubmissions) return alreadyApplied
  return null
}
