import {
  appErrors,
  type Challenge,
  ChallengeChange,
  ChallengeInput,
  type ErrorDefinition,
  isDeadlineFarEnough,
} from '@community/contract'
import { registerMessage } from '@community/contract/registered-messages'
import { CHALLENGE_POINTS, MAX_SUBMISSIONS } from '@community/contract/limits'
import { z } from 'zod'
import { fromWallClock, toWallClock } from '../../lib/viewer-zone.ts'

/** "UTC+01:00": the offset of the viewer's time zone. */
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

/** An issue as the server would report it, with its code. */
const withErrorCode = (definition: ErrorDefinition) => ({
  error: registerMessage(definition),
  params: { code: definition.code },
})

/** Parses the dialog's fields into the contract's challenge. `now` returns the server's time. */
export const challengeSchema = (now: () => Date) =>
  ChallengeInput.extend({
    deadline: requiredDeadline()
      .refine(
        (localTime) => isDeadlineFarEnough(fromWallClock(localTime), now()),
        withErrorCode(appErrors.deadlineTooSoon),
      )
      .transform(toInstant),
    tags: z.string().transform(parseTags).pipe(tags.unwrap()),
    evaluationCriteria: evaluationCriteria.unwrap(),
    resources: resources.unwrap(),
    isActive: ChallengeInput.shape.isActive.unwrap(),
  })

/** The same for an edit: an unchanged deadline may be past, a new one may not. */
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

/** The dialog's fields: the deadline is local time as in `datetime-local`, the tags are one line. */
export type ChallengeDraft = z.input<ReturnType<typeof challengeSchema>>

/** The values of the fields. */
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
  isActive: true,
}

/** The fields' values for a challenge. */
export function toDraft(challenge: Challenge): ChallengeDraft {
  const { title, description, requirements, points, category, difficulty, maxSubmissions, isActive } = challenge
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
    isActive,
  }
}
