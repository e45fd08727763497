import { TEAM_SORTS, Team, TeamCard } from '@community/contract'
import { teams } from '@community/db/schema'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { type createTeamCaller, openFixture } from '../../test/fixture.ts'
import type { Caller } from '../context.ts'

const role = (at: number) => roles[at] ?? { id: '' }

/** Name, description, roles, members besides the chef, points, challenges. */
const TEAMS: [string, string, number[], number, number, number][] = [
  ['Atlas Lions', 'We roar in TypeScript', [0, 1], 3, 120, 2],
  ['Étoile du Sud', 'Des applications utiles à tous', [1], 0, 0, 0],
  ['بَرْمَجَةُ الأَطْلَس', 'فريق من مدينة الرباط', [0], 1, 40, 1],
  ['zellige', 'Patterns 100%_sure in Rust', [2], 0, 120, 1],
  ['Chergui', 'Wind and C:\\ drives', [2, 0], 2, 0, 0],
  ['Argan', 'Slow food, fast code', [5], 0, 40, 3],
]

const fixture = await openFixture()
const chef = await fixture.createMember()
const roles = await rolesOf(fixture.db)
for (const [name, description, needed, others, points, challengesCompleted] of TEAMS) {
  const form = validInput('teams.create', { rolesNeeded: needed.map(role), name, description, maxMembers: 11 })
  const { team } = (await fixture.as(chef).create(form)).data
  for (let remaining = others; remaining > 0; remaining--)
    await fixture
      .as(await fixture.createMember())
      .join(validInput('teams.join', { id: team.id, role: role(needed[0] ?? 0) }))
  const pointsReachedAt = points ? new Date() : null
  await fixture.db.update(teams).set({ points, challengesCompleted, pointsReachedAt }).where(eq(teams.id, team.id))
}
const { team } = (await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [role(0)], name: 'Asleep' })))
  .data
await fixture.db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id))
afterAll(() => fixture.close())

type ListInput = Parameters<ReturnType<typeof createTeamCaller>['list']>[0]
const namesOf = async (input: ListInput, user: Caller | null = chef) =>
  (await fixture.as(user).list(input)).data.teams.map(({ name }) => name)

/** The order of accented and Arabic names depends on the database's collation. */
const latin = (names: string[]) => names.filter((name) => /^[A-Za-z ]+$/.test(name))

describe('what a viewer sees', () => {
  it('is a card without description, points and members for visitors', async () => {
    const { data } = await fixture.as(null).list({})
    expect(data.teams).toHaveLength(6)
    const keys = ['_id', 'createdAt', 'id', 'isActive', 'maxMembers', 'name', 'rolesNeeded', 'updatedAt']
    for (const team of data.teams) expect(Object.keys(team).toSorted()).toEqual(keys)
    const [atlas] = data.teams.filter(({ name }) => name === 'Atlas Lions')
    expect(TeamCard.parse(atlas).rolesNeeded).toEqual([role(0), role(1)])
  })

  it('is the full team for signed-in users: members with the chef first', async () => {
    const { data } = await fixture.as(await fixture.createMember()).list({ search: 'atlas lions' })
    const team = Team.parse(data.teams[0])
    expect(team).toMatchObject({
      description: 'We roar in TypeScript',
      points: 120,
      challengesCompleted: 2,
      memberCount: 4,
    })
    expect(team.members.map(({ isChef }) => isChef)).toEqual([true, false, false, false])
    expect(team.members[0]?.userId).toBe(chef.id)
    const joined = team.members.map(({ joinedAt }) => joinedAt)
    expect(joined.slice(1)).toEqual(joined.slice(1).toSorted())
  })

  it('contains inactive teams only at an administrator’s request', async () => {
    const admin = await fixture.createAdmin()
    expect(await namesOf({ includeInactive: true, search: 'asleep' }, admin)).toEqual(['Asleep'])
    expect(await namesOf({ includeInactive: true }, admin)).toContain('Asleep')
    expect(await namesOf({}, admin)).not.toContain('Asleep')
    for (const user of [chef, null]) expect(await namesOf({ includeInactive: true }, user)).not.toContain('Asleep')
  })
})

describe('sorting', () => {
  it('is by name, ignoring case, ascending by default', async () => {
    expect(latin(await namesOf({}))).toEqual(['Argan', 'Atlas Lions', 'Chergui', 'zellige'])
  })

  it('is by members, points or challenges; ties by name; descending is the exact reverse', async () => {
    const byMembers = await namesOf({ sort: 'members', order: 'desc' })
    expect(byMembers.slice(0, 3)).toEqual(['Atlas Lions', 'Chergui', 'بَرْمَجَةُ الأَطْلَس'])
    expect(latin(byMembers)).toEqual(['Atlas Lions', 'Chergui', 'zellige', 'Argan'])
    expect(await namesOf({ sort: 'points' })).toEqual([
      'Chergui',
      'Étoile du Sud',
      'Argan',
      'بَرْمَجَةُ الأَطْلَس',
      'Atlas Lions',
      'zellige',
    ])
    expect((await namesOf({ sort: 'challenges', order: 'desc' })).slice(0, 2)).toEqual(['Argan', 'Atlas Lions'])
    for (const sort of TEAM_SORTS)
      expect(await namesOf({ sort, order: 'desc' })).toEqual((await namesOf({ sort, order: 'asc' })).toReversed())
  })

  it('by members is by name for visitors, so that neither order nor cursor reveals member counts', async () => {
    const { data } = await fixture.as(null).list({ sort: 'members', order: 'desc', limit: 2 })
    const byName = (await namesOf({ sort: 'name', order: 'desc' })).slice(0, 2)
    expect(data.teams.map(({ name }) => name)).toEqual(byName)
    const cursor = Buffer.from(data.pagination.nextCursor ?? '', 'base64url').toString()
    expect(JSON.parse(cursor)).toHaveLength(3)
  })

  it('is the same for a search', async () => {
    for (const sort of TEAM_SORTS)
      for (const order of ['asc', 'desc'] as const) {
        const all = await namesOf({ sort, order })
        const found = await namesOf({ sort, order, search: 'a' })
        expect(found).toEqual(all.filter((name) => found.includes(name)))
        expect(found).toContain('Argan')
      }
  })
})

describe('paging', () => {
  it('returns each team once, and the total', async () => {
    for (const sort of TEAM_SORTS) {
      const pages = await Promise.all([1, 2, 3].map((page) => fixture.as(chef).list({ page, limit: 2, sort })))
      expect(pages.flatMap(({ data }) => data.teams.map(({ name }) => name))).toEqual(await namesOf({ sort }))
      for (const [at, { data }] of pages.entries())
        expect(data.pagination).toEqual({
          page: at + 1,
          limit: 2,
          total: 6,
          totalPages: 3,
          nextCursor: at < 2 ? expect.any(String) : null,
        })
    }
  })

  it('returns an empty page after the last, and no pages for an empty list', async () => {
    const behind = (await fixture.as(null).list({ page: 101, limit: 100 })).data
    expect(behind).toEqual({
      teams: [],
      pagination: { page: 101, limit: 100, total: 6, totalPages: 1, nextCursor: null },
    })
    const none = (await fixture.as(chef).list({ search: 'no such team' })).data
    expect(none).toEqual({ teams: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 0, nextCursor: null } })
  })

  it('ignores the page number beside a cursor, and has an empty page at any number past the end', async () => {
    const beyond = { page: 1_000_000, limit: 100 }
    const { nextCursor } = (await fixture.as(null).list({ limit: 5 })).data.pagination
    expect((await fixture.as(null).list({ ...beyond, cursor: nextCursor ?? '' })).data.teams).toHaveLength(1)
    for (const search of ['', 'a', 'no such team']) {
      const { teams, pagination } = (await fixture.as(null).list({ ...beyond, search })).data
      expect(teams).toEqual([])
      expect(pagination).toMatchObject({ page: 1_000_000, nextCursor: null })
    }
  })
})

describe('filters', () => {
  it('by a role that is needed', async () => {
    expect(await namesOf({ role: role(0).id })).toEqual(['Atlas Lions', 'Chergui', 'بَرْمَجَةُ الأَطْلَس'])
    expect(await namesOf({ role: role(0).id, search: 'atlas' })).toEqual(['Atlas Lions'])
    expect(await namesOf({ role: chef.id })).toEqual([])
    const { pagination } = (await fixture.as(chef).list({ role: role(2).id, limit: 1, sort: 'points', order: 'desc' }))
      .data
    expect(pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2, nextCursor: expect.any(String) })
  })

  it.each([
    ['ATLAS', 'Atlas Lions'],
    ['etoile', 'Étoile du Sud'],
    ['ÉTOILE', 'Étoile du Sud'],
    ['utiles a tous', 'Étoile du Sud'],
    ['برمجة الاطلس', 'بَرْمَجَةُ الأَطْلَس'],
    ['الرباط', 'بَرْمَجَةُ الأَطْلَس'],
    ['  roar ', 'Atlas Lions'],
    ['100%_', 'zellige'],
    ['c:\\ d', 'Chergui'],
  ])('by a part of name or description, folded: %s', async (search, name) => {
    expect(await namesOf({ search })).toEqual([name])
  })

  it.each(['%', '_', '\\', '%%', "'", '"; drop table teams; --', '(a+)+$', 'a%a'])(
    'take %s literally',
    async (search) => {
      const holders = TEAMS.filter(([name, description]) => `${name}\n${description}`.toLowerCase().includes(search))
      expect((await namesOf({ search })).toSorted()).toEqual(holders.map(([name]) => name).toSorted())
    },
  )

  it('ignore a blank search', async () => {
    expect(await namesOf({ search: '   ' })).toHaveLength(6)
  })

  it('let visitors search names only, not descriptions', async () => {
    expect(await namesOf({ search: 'lions' }, null)).toEqual(['Atlas Lions'])
    expect(await namesOf({ search: 'typescript' }, null)).toEqual([])
    expect((await fixture.as(null).list({ search: 'typescript' })).data.pagination.total).toBe(0)
  })
})
