import { teams } from '@community/db/schema'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { openFixture } from '../../test/fixture.ts'

const TEAMS: [name: string, points: number, reachedAtMinute: number | null, isActive: boolean][] = [
  ['Nil first', 0, null, true],
  ['Asleep without points', 0, null, false],
  ['Zest', 50, 1, true],
  ['Late', 50, 3, true],
  ['beta', 50, 2, true],
  ['Alpha', 50, 2, true],
  ['Old', 50, null, true],
  ['Asleep with points', 70, 5, false],
  ['Best', 90, 9, true],
  ['A nil', 0, null, true],
]

const fixture = await openFixture()
const chef = fixture.as(await fixture.createMember())
const [role] = await rolesOf(fixture.db)
for (const [name, points, minute, isActive] of TEAMS) {
  const { team } = (await chef.create(validInput('teams.create', { rolesNeeded: [role], name }))).data
  const pointsReachedAt = minute === null ? null : new Date(Date.UTC(2026, 0, 1, 0, minute))
  const challengesCompleted = points / 10
  await fixture.db
    .update(teams)
    .set({ points, pointsReachedAt, isActive, challengesCompleted })
    .where(eq(teams.id, team.id))
}
afterAll(() => fixture.close())

async function readPages(limit: number, betweenPages?: () => Promise<unknown>) {
  const rows: [rank: number, name: string][] = []
  let cursor: string | undefined
  do {
    const { leaderboard, pagination } = (await fixture.as(null).leaderboard({ limit, cursor })).data
    rows.push(...leaderboard.map(({ rank, name }): [number, string] => [rank, name]))
    cursor = pagination.nextCursor ?? undefined
    await betweenPages?.()
  } while (cursor !== undefined)
  return rows
}

describe('getLeaderboard', () => {
  it('ranks by points, then by who reached them first, then by name, including inactive teams with points', async () => {
    const { leaderboard } = (await fixture.as(null).leaderboard({ limit: 100 })).data
    expect(leaderboard.map(({ rank, name }) => [rank, name])).toEqual([
      [1, 'Best'],
      [2, 'Asleep with points'],
      [3, 'Zest'],
      [4, 'Alpha'],
      [5, 'beta'],
      [6, 'Late'],
      [7, 'Old'],
      [8, 'A nil'],
      [9, 'Nil first'],
    ])
    const [best] = leaderboard
    expect(best).toEqual({ rank: 1, id: best?.id, _id: best?.id, name: 'Best', points: 90, challengesCompleted: 9 })
  })

  it('is the same for visitors and administrators', async () => {
    const { data } = await fixture.as(null).leaderboard({})
    expect((await fixture.as(await fixture.createAdmin()).leaderboard({})).data).toEqual(data)
  })

  it('has as many rows as the limit, which is at most 100', async () => {
    const { leaderboard } = (await fixture.as(null).leaderboard({ limit: 100 })).data
    expect((await fixture.as(null).leaderboard({ limit: 2 })).data.leaderboard).toEqual(leaderboard.slice(0, 2))
    await expect(fixture.as(null).leaderboard({ limit: 101 })).rejects.toThrow(/100/)
  })

  it.each([1, 2, 3, 4, 8])('continues by cursor in pages of %i, with the ranks of the whole list', async (limit) => {
    const { leaderboard } = (await fixture.as(null).leaderboard({ limit: 100 })).data
    expect(await readPages(limit)).toEqual(leaderboard.map(({ rank, name }) => [rank, name]))
  })

  it('skips to a page by its number, with the ranks and the total of the whole list', async () => {
    const { leaderboard } = (await fixture.as(null).leaderboard({ limit: 100 })).data
    const second = (await fixture.as(null).leaderboard({ page: 2, limit: 4 })).data
    expect(second.leaderboard).toEqual(leaderboard.slice(4, 8))
    expect(second.pagination).toMatchObject({ page: 2, limit: 4, total: 9, totalPages: 3 })
    const third = (await fixture.as(null).leaderboard({ page: 3, limit: 4 })).data
    expect(third.leaderboard).toEqual(leaderboard.slice(8))
    expect(third.pagination.nextCursor).toBeNull()
  })

  it('ranks each page by the points at that moment', async () => {
    const setPoints = (name: string, points: number) =>
      fixture.db.update(teams).set({ points }).where(eq(teams.name, name))
    let page = 0
    // The last team of the first page loses points, so it appears twice.
    const rows = await readPages(3, async () => (page++ === 0 ? setPoints('Zest', 10) : undefined))
    expect(rows).toEqual([
      [1, 'Best'],
      [2, 'Asleep with points'],
      [3, 'Zest'],
      [3, 'Alpha'],
      [4, 'beta'],
      [5, 'Late'],
      [6, 'Old'],
      [7, 'Zest'],
      [8, 'A nil'],
      [9, 'Nil first'],
    ])
    await setPoints('Zest', 50)
  })
})

describe('getLeaderboard of 4,009 teams', () => {
  beforeAll(async () => {
    await fixture.sql`
      insert into teams (name, name_key, description, search_text, member_count, points, points_reached_at)
      select 'T' || n, 't' || n, 'd', '', 1, 7 * (n % 2), case when n % 2 = 1 then now() end from generate_series(1, 4000) n`
    await fixture.sql`analyze teams`
  })

  it('returns ten rows by default', async () =>
    expect((await fixture.as(null).leaderboard({})).data.leaderboard).toHaveLength(10))

  it('reads the rows after a cursor from the index, also among ties', async () => {
    const ranks = (await readPages(100)).map(([rank]) => rank)
    expect(ranks).toEqual(Array.from({ length: 4009 }, (_, index) => index + 1))
    const plan = await fixture.sql`
      explain select id from teams where (is_active or points > 0)
        and ((-points), coalesce(points_reached_at, 'infinity'), name_key) > (0::bigint, 'infinity'::timestamptz, 't2')
      order by (-points), coalesce(points_reached_at, 'infinity'), name_key limit 101`
    expect(JSON.stringify(plan)).toMatch(/Index Scan using teams_ranked.*Index Cond: \(ROW/)
    expect(JSON.stringify(plan)).not.toMatch(/Sort/)
  })
})
