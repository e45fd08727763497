import { messageOfIssue } from '@community/contract'
import { aChallenge } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { findChanges } from '../../lib/form-draft.ts'
import {
  BLANK_CHALLENGE,
  type ChallengeDraft,
  challengeChangeSchema,
  challengeSchema,
  toDraft,
  formatUtcOffset,
} from './challenge-form.ts'

const now = new Date('2026-11-21T10:00:00Z')
/** The value of a datetime-local control for a date, in the local time zone. */
const local = (instant: Date) => {
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}
const inSeconds = (seconds: number) => local(new Date(now.getTime() + seconds * 1000))

const draft = (change: Partial<ChallengeDraft> = {}): ChallengeDraft => ({
  ...BLANK_CHALLENGE,
  title: ' Tram for all ',
  description: 'Build it.',
  requirements: ['Works on a phone', '  '],
  deadline: inSeconds(86_400),
  ...change,
})
const problems = (change: Partial<ChallengeDraft>) =>
  challengeSchema(() => now)
    .safeParse(draft(change))
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('challengeForm', () => {
  it('sends the deadline in UTC, trimmed values and the defaults', () => {
    expect(challengeSchema(() => now).parse(draft({ tags: 'tram, darija ،, maps' }))).toEqual({
      title: 'Tram for all',
      description: 'Build it.',
      requirements: ['Works on a phone'],
      deadline: '2026-11-22T10:00:00.000Z',
      points: 100,
      category: 'Web Development',
      difficulty: 'Beginner',
      tags: ['tram', 'darija', 'maps'],
      maxSubmissions: 1,
      evaluationCriteria: [],
      resources: [],
      isActive: true,
    })
  })

  it('requires a title, a description, a deadline and a requirement', () => {
    expect(problems({ title: ' ', description: '', deadline: '', requirements: ['', ' '] })).toEqual([
      'title: Title is required',
      'description: Description is required',
      'requirements: At least one requirement is needed',
      'deadline: Deadline is required',
    ])
  })

  it('requires a deadline at least two minutes ahead', () => {
    expect(problems({ deadline: inSeconds(119) })).toEqual(['deadline: Deadline must be at least 2 minutes from now'])
    expect(problems({ deadline: inSeconds(120) })).toEqual([])
  })

  it('keeps the template of a deadline’s error, by which the form translates it', () => {
    const [issue] = challengeSchema(() => now).safeParse(draft({ deadline: inSeconds(60) })).error?.issues ?? []
    expect(issue && messageOfIssue(issue)).toMatchObject({
      template: 'Deadline must be at least {n} minutes from now',
      params: { n: 2 },
    })
  })

  it.each([0, 1001, 1.5, Number.NaN])('rejects %d points', (points) => {
    expect(problems({ points })).toHaveLength(1)
  })

  it.each([0, 6])('rejects %d submissions per team', (maxSubmissions) => {
    expect(problems({ maxSubmissions })).toEqual(['maxSubmissions: Maximum submissions must be between 1 and 5'])
  })

  it('keeps only resources with both title and URL, and rejects an invalid URL', () => {
    const resources: ChallengeDraft['resources'] = [
      { title: 'Only a title', url: ' ', type: 'tool' },
      { title: ' MDN ', url: 'https://developer.mozilla.org/', type: 'documentation' },
    ]
    expect(challengeSchema(() => now).parse(draft({ resources })).resources).toEqual([
      { title: 'MDN', url: 'https://developer.mozilla.org/', type: 'documentation' },
    ])
    expect(problems({ resources: [...resources, { title: 'Bad', url: 'ftp://x', type: 'tool' }] })).toEqual([
      'resources.2.url: Please enter a valid link (http or https)',
    ])
  })
})

describe('findChanges', () => {
  const original = aChallenge(1, {
    deadline: '2026-11-20T10:00:00.123Z',
    tags: ['tram', 'maps'],
    resources: [{ title: 'MDN', url: 'https://mdn.dev/', type: 'tool' }],
  })
  const edited = (change: Partial<ChallengeDraft>) => {
    const form = challengeChangeSchema(() => now, original)
    const before = form.parse(toDraft(original))
    return findChanges(before, form.parse({ ...toDraft(original), ...change }))
  }

  it('is empty if nothing was changed, even if the deadline is past', () => {
    expect(edited({})).toBeNull()
    expect(edited({ title: ` ${original.title} `, tags: 'tram,maps,' })).toBeNull()
  })

  it('contains the changed fields, with complete lists', () => {
    const change = { points: 300, requirements: ['Works offline'], resources: [] }
    expect(edited(change)).toEqual(change)
    expect(edited({ tags: 'maps, tram', deadline: inSeconds(60) })).toEqual({
      tags: ['maps', 'tram'],
      deadline: '2026-11-21T10:01:00.000Z',
    })
  })
})

it.each([
  [60, 'UTC+01:00'],
  [0, 'UTC+00:00'],
  [-210, 'UTC-03:30'],
])('formats an offset of %i minutes', (minutes, name) => expect(formatUtcOffset(minutes)).toBe(name))
