import {
  appErrors,
  type Challenge,
  ChallengeChange,
  ChallengeInput,
  type ErrorDefinition,
  isDeadlineFarEnough,
} from '@community/contract'
import { CHALLENGE_POINTS, MAX_SUBMISSIONS } from '@community/contract/limits'
import { z } from 'zod'
import { fromWallClock, toWallClock } from '../../lib/viewer-zone.ts'

/** "UTC+01:00": how far a clock is ahead of UTC. */
export function formatUtcOffset(minutes: number): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${pad(Math.trunc(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
}

const parseTags = (line: string): string[] =>
  line
    .split(/[,،]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

const { tags, evaluationCriteria, resources } = ChallengeInput.shape

const toInstant = (localTime: string): string => fromWallClock(localTime).toISOString()

const requiredDeadline = () =>
  z.string().refine((localTime) => !Number.isNaN(Date.parse(localTime)), { error: 'Deadline is required', abort: true })

/** What the server would say, with its code. */
const withErrorCode = ({ message, code }: ErrorDefinition) => ({ error: message, params: { code } })

/** The contract's challenge, read from the dialog's fields: whether it is open is no field. `now` answers the server's time. */
export const challengeSchema = (now: () => Date) =>
  ChallengeInput.omit({ isActive: true }).extend({
    deadline: requiredDeadline()
      .refine(
        (localTime) => isDeadlineFarEnough(fromWallClock(localTime), now()),
        withErrorCode(appErrors.deadlineTooSoon),
      )
      .transform(toInstant),
    tags: z.string().transform(parseTags).pipe(tags.unwrap()),
    evaluationCriteria: evaluationCriteria.unwrap(),
    resources: resources.unwrap(),
  })

/** The same for a change: the deadline as it stands may be past, any other lies ahead. */
export const challengeChangeSchema = (now: () => Date, { deadline }: Pick<Challenge, 'deadline'>) => {
  const initialDeadline = toWallClock(new Date(deadline))
  return challengeSchema(now).extend({
    requirements: ChallengeChange.shape.requirements.unwrap(),
    deadline: requiredDeadline()
      .refine(
        (localTime) => localTime === initialDeadline || fromWallClock(localTime) > now(),
        withErrorCode(appErrors.deadlinePast),
      )
      .transform((localTime) => (localTime === initialDeadline ? deadline : toInstant(localTime))),
  })
}

/** The dialog's fields: a deadline as the browser's own control writes it (the viewer's zone), tags on one line. */
export type ChallengeDraft = z.input<ReturnType<typeof challengeSchema>>

/** What the fields say. */
export type ParsedChallenge = z.output<ReturnType<typeof challengeSchema>>

export const BLANK_RESOURCE: ChallengeDraft['resources'][number] = { title: '', url: '', type: 'documentation' }

export const BLANK_CHALLENGE: ChallengeDraft = {
  title: '',
  description: '',
  requirements: [''],
  deadline: '',
  points: CHALLENGE_POINTS.default,
  category: 'Web Development',
  difficulty: 'Beginner',
  tags: '',
  maxSubmissions: MAX_SUBMISSIONS.default,
  evaluationCriteria: [],
  resources: [],
}

/** A challenge as the dialog's fields show it. */
export function toDraft(challenge: Challenge): ChallengeDraft {
  const { title, description, requirements, points, category, difficulty, maxSubmissions } = challenge
  return {
    title,
    description,
    requirements,
    deadline: toWallClock(new Date(challenge.deadline)),
    points,
    category,
    difficulty,
    tags: challenge.tags.join(', '),
    maxSubmissions,
    evaluationCriteria: challenge.evaluationCriteria,
    resources: challenge.resources,
  }
}

/** What an edit changed: in a field that was left alone stands what somebody else may have written there meanwhile. */
export function findChanges(before: Partial<ParsedChallenge>, after: ParsedChallenge): Partial<ParsedChallenge> {
  const previous: Record<string, unknown> = before
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(previous[name])),
  )
}
