import type { CHALLENGE_SORTS } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../test/fixture.ts'
import { secondsFromNow, openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'

const DAY = 86_400
let fixture: WorkFixture
const ids: Record<string, string> = {}

beforeAll(async () => {
  fixture = await openWorkFixture()
  const all = {
    soon: {
      title: 'Été à Rabat',
      deadline: secondsFromNow(DAY),
      points: 100,
      category: 'Design',
      difficulty: 'Expert',
    },
    later: { title: 'Medina maps', deadline: secondsFromNow(5 * DAY), points: 300, category: 'Design' },
    latest: {
      title: '100%_sure\\',
      description: 'With a medina inside',
      deadline: secondsFromNow(9 * DAY),
      points: 1000,
    },
    justOver: { title: 'Over', deadline: secondsFromNow(-DAY), points: 10 },
    longOver: { title: 'Long over', deadline: secondsFromNow(-9 * DAY), points: 20, submissionCount: 7 },
    inactive: { title: 'Hidden medina', deadline: secondsFromNow(2 * DAY), points: 50, isActive: false },
  } as const
  // Created a second apart: within a millisecond the order of ids is random.
  for (const [index, [name, over]] of Object.entries(all).entries())
    ids[name] = (await fixture.createChallenge({ createdAt: secondsFromNow(index - 60), ...over })).id
})
afterAll(() => fixture.close())

const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
const namesOf = ({ data }: { data: { challenges: { id: string }[] } }) => data.challenges.map(({ id }) => nameOf(id))

const PUBLIC = ['soon', 'later', 'latest', 'justOver', 'longOver']

describe('the list of challenges', () => {
  it('lists open ones by nearest deadline, then expired ones by latest; no inactive ones', async () => {
    const result = await fixture.as(null).challenges({})
    expect(namesOf(result)).toEqual(PUBLIC)
    expect(result.data.pagination).toEqual({ page: 1, limit: 10, total: 5, totalPages: 1, nextCursor: null })
    expect(namesOf(await fixture.as(await fixture.createMember()).challenges({ isActive: false }))).toEqual([])
  })
  it('shows inactive ones to administrators, among the closed ones', async () => {
    const all = ['soon', 'later', 'latest', 'inactive', 'justOver', 'longOver']
    expect(namesOf(await fixture.as(fixture.judge).challenges({}))).toEqual(all)
    expect(namesOf(await fixture.as(fixture.judge).allChallenges({}))).toEqual(all)
    expect(namesOf(await fixture.as(fixture.judge).allChallenges({ isActive: false }))).toEqual(['inactive'])
    expect(namesOf(await fixture.as(fixture.judge).allChallenges({ isActive: true }))).toEqual(PUBLIC)
    const admin = fixture.as(fixture.judge)
    expect(namesOf(await admin.allChallenges({ isOpen: true }))).toEqual(['soon', 'later', 'latest'])
    expect(namesOf(await admin.allChallenges({ isActive: true, isOpen: false }))).toEqual(['justOver', 'longOver'])
  })
  it('sorts as administrators request, including inactive ones', async () => {
    const sorted = async (sort: (typeof CHALLENGE_SORTS)[number]) =>
      namesOf(await fixture.as(fixture.judge).allChallenges({ sort }))
    expect(await sorted('points')).toEqual(['latest', 'later', 'soon', 'inactive', 'longOver', 'justOver'])
    expect(await sorted('newest')).toEqual(Object.keys(ids).toReversed())
    expect(await sorted('title')).toEqual(['latest', 'soon', 'inactive', 'longOver', 'later', 'justOver'])
    expect((await sorted('submissions'))[0]).toBe('longOver')
    const found = await fixture.as(fixture.judge).allChallenges({ sort: 'points', search: 'medina', limit: 2 })
    expect(namesOf(found)).toEqual(['latest', 'later'])
  })
  it('pages through all of them', async () => {
    const seen = []
    for (const page of [1, 2, 3, 4]) seen.push(namesOf(await fixture.as(null).challenges({ page, limit: 2 })))
    expect(seen).toEqual([PUBLIC.slice(0, 2), PUBLIC.slice(2, 4), PUBLIC.slice(4), []])
  })
  it('combines filters by category, difficulty and points', async () => {
    const visitor = fixture.as(null)
    expect(namesOf(await visitor.challenges({ category: 'Design' }))).toEqual(['soon', 'later'])
    expect(namesOf(await visitor.challenges({ category: 'Design', difficulty: 'Expert' }))).toEqual(['soon'])
    expect(namesOf(await visitor.challenges({ minPoints: 100, maxPoints: 300 }))).toEqual(['soon', 'later'])
    expect(namesOf(await visitor.byCategory({ c: 'Design' }))).toEqual(['soon', 'later'])
    expect(namesOf(await visitor.byDifficulty({ d: 'Expert' }))).toEqual(['soon'])
  })
  it('searches title and description, ignoring case and accents, without wildcards', async () => {
    const search = async (text: string) => namesOf(await fixture.as(null).challenges({ search: text }))
    expect(await search('ete A raBAT')).toEqual(['soon'])
    expect(await search('medina')).toEqual(['later', 'latest'])
    expect(await search('%_')).toEqual(['latest'])
    expect(await search('sure\\')).toEqual(['latest'])
    expect(await search('_')).toEqual(['latest'])
    expect(await search("'; drop table challenges --")).toEqual([])
    expect((await fixture.as(null).challenges({ search: 'medina', limit: 1 })).data.pagination.totalPages).toBe(2)
  })
  it('of open ones returns the totals of all, including inactive ones only for administrators', async () => {
    const sums = async (user: Parameters<typeof fixture.as>[0]) => (await fixture.as(user).open({ limit: 1 })).data.sums
    expect(await sums(null)).toEqual({ points: 1430, submissions: 7 })
    expect(await sums(fixture.judge)).toEqual({ points: 1480, submissions: 7 })
  })
  it('of open ones contains only those that accept applications now, also for administrators', async () => {
    expect(namesOf(await fixture.as(null).open({}))).toEqual(['soon', 'later', 'latest'])
    expect(namesOf(await fixture.as(fixture.judge).open({}))).toEqual(['soon', 'later', 'latest'])
  })
})

describe('one challenge', () => {
  it('has all fields, its id twice and times in UTC', async () => {
    const { data } = await fixture.as(null).challenge({ id: ids.later ?? '' })
    expect(data.challenge).toMatchObject({ id: ids.later, _id: ids.later, title: 'Medina maps', points: 300 })
    expect(data.challenge.deadline).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(data.challenge).not.toHaveProperty('searchText')
  })
  it('is missing while inactive, except for administrators', async () => {
    const id = ids.inactive ?? ''
    expect(await errorCodeOf(fixture.as(null).challenge({ id }))).toBe('CHALLENGE_MISSING')
    expect(await errorCodeOf(fixture.as(await fixture.createMember()).challenge({ id }))).toBe('CHALLENGE_MISSING')
    expect((await fixture.as(fixture.judge).challenge({ id })).data.challenge.isActive).toBe(false)
    const unknown = fixture.judge.id
    expect(await errorCodeOf(fixture.as(fixture.judge).challenge({ id: unknown }))).toBe('CHALLENGE_MISSING')
  })
})
