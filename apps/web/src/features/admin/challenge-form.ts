import { ChallengeInput, isDeadlineFarEnough } from '@community/contract'
import { CHALLENGE_POINTS, MAX_SUBMISSIONS } from '@community/contract/limits'
import { z } from 'zod'

/** "UTC+01:00": how far the viewer's clock is from UTC at an instant. Morocco's changes with Ramadan. */
export function offsetName(instant: Date): string {
  const minutes = -instant.getTimezoneOffset()
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

const tagsOf = (line: string): string[] =>
  line
    .split(/[,،]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

const { tags, evaluationCriteria, resources } = ChallengeInput.shape

/** The contract's challenge, read from the dialog's fields. `now` answers the server's time. */
export const challengeForm = (now: () => Date) =>
  ChallengeInput.extend({
    deadline: z
      .string()
      .refine((local) => !Number.isNaN(Date.parse(local)), { error: 'Deadline is required', abort: true })
      .refine((local) => isDeadlineFarEnough(local, now()), 'Deadline must be at least 2 minutes from now')
      .transform((local) => new Date(local).toISOString()),
    tags: z.string().transform(tagsOf).pipe(tags.unwrap()),
    evaluationCriteria: evaluationCriteria.unwrap(),
    resources: resources.unwrap(),
  })

/** The dialog's fields: a deadline as the browser's own control writes it (the viewer's zone), tags on one line. */
export type ChallengeDraft = z.input<ReturnType<typeof challengeForm>>

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
