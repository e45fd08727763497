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
export function offsetName(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

const tagsOf = (line: string): string[] =>
  line
    .split(/[,،]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

const { tags, evaluationCriteria, resources } = ChallengeInput.shape

const toInstant = (local: string): string => fromWallClock(local).toISOString()

const givenTime = () =>
  z.string().refine((local) => !Number.isNaN(Date.parse(local)), { error: 'Deadline is required', abort: true })

/** What the server would say, with its code. */
const as = ({ message, code }: ErrorDefinition) => ({ error: message, params: { code } })

/** The contract's challenge, read from the dialog's fields: whether it is open is no field. `now` answers the server's time. */
export const challengeForm = (now: () => Date) =>
  ChallengeInput.omit({ isActive: true }).extend({
    deadline: givenTime()
      .refine((local) => isDeadlineFarEnough(fromWallClock(local), now()), as(appErrors.deadlineTooSoon))
      .transform(toInstant),
    tags: z.string().transform(tagsOf).pipe(tags.unwrap()),
    evaluationCriteria: evaluationCriteria.unwrap(),
    resources: resources.unwrap(),
  })

/** The same for a change: the deadline as it stands may be past, any other lies ahead. */
export const challengeChangeForm = (now: () => Date, { deadline }: Pick<Challenge, 'deadline'>) => {
  const asShown = toWallClock(new Date(deadline))
  return challengeForm(now).extend({
    requirements: ChallengeChange.shape.requirements.unwrap(),
    deadline: givenTime()
      .refine((local) => local === asShown || fromWallClock(local) > now(), as(appErrors.deadlinePast))
      .transform((local) => (local === asShown ? deadline : toInstant(local))),
  })
}

/** The dialog's fields: a deadline as the browser's own control writes it (the viewer's zone), tags on one line. */
export type ChallengeDraft = z.input<ReturnType<typeof challengeForm>>

/** What the fields say. */
export type DescribedChallenge = z.output<ReturnType<typeof challengeForm>>

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
export function draftOf(challenge: Challenge): ChallengeDraft {
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
export function changesOf(before: Partial<DescribedChallenge>, after: DescribedChallenge): Partial<DescribedChallenge> {
  const was: Record<string, unknown> = before
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  )
}
