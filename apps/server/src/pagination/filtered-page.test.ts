import { connect, type Connection } from '@community/db'
import { teams } from '@community/db/schema'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findWorks } from '../submissions/queries.ts'
import { findFiltered, type FilteredList } from './filtered-page.ts'
import { listOrder } from './list-order.ts'

/** Teams called atlas and zellige: together more than are scanned, the second more than are counted. */
const [ATLAS_TEAMS, ZELLIGE_TEAMS] = [24_500, 1300]
let database: TestDatabase
let connection: Connection
const sent: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  // The seed takes longer than the timeouts on a busy machine.
  connection = connect(database.url, { max: 1, hasAnswerTimeout: false })
  await connection.sql.begin(async (tx) => {
    // Without triggers and foreign keys, which would take minutes.
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = 0`
    await tx`
      insert into challenges (title, description, requirements, deadline, points, category, difficulty, search_text)
      values ('Souk', 'Build something useful', '{"It works"}', now() + interval '1 day', 100, 'Other', 'Beginner', 'souk')`
    await tx`
      insert into teams (name, name_key, search_text, description, member_count, owner_id)
      select name, name, name, 'We build small, useful things.', 1, gen_random_uuid() from generate_series(1, ${ATLAS_TEAMS + ZELLIGE_TEAMS}::int) n
      cross join lateral (select case when n <= ${ATLAS_TEAMS} then 'atlas ' else 'zellige ' end || lpad(n::text, 5, '0')) named(name)`
    // Inactive teams and rejected works match the searches, but are not in the lists.
    await tx`
      insert into teams (name, name_key, search_text, description, member_count, owner_id, is_active)
      select name, name, name, 'We build small, useful things.', 1, gen_random_uuid(), false from generate_series(1, 300) n
      cross join lateral (select 'zellige asleep ' || n) named(name)`
    await tx`
      insert into submissions (challenge_id, team_id, type, content, status, evaluated_at)
      select challenges.id, teams.id, 'link', 'https://example.ma', 'rejected', now() from teams cross join challenges
      where teams.name like 'zellige%'`
    // The teams with the last names have the oldest works.
    await tx`
      insert into submissions (challenge_id, team_id, type, content, status, score, points, evaluated_at, created_at)
      select challenges.id, teams.id, 'link', 'https://example.ma', 'approved', 50, 50, now(),
        now() - make_interval(secs => right(teams.name, 5)::int)
      from teams cross join challenges where teams.is_active`
    await tx`analyze`
  })
  Object.assign(connection.sql.options, { debug: (_connection: number, statement: string) => sent.push(statement) })
}, 120_000)
beforeEach(() => {
  sent.length = 0
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const list = (direction: 'asc' | 'desc', name: string): FilteredList => ({
  table: teams,
  order: listOrder(`filtered.${direction}`, [{ expression: teams.nameKey, type: 'text', direction }]),
  indexCondition: sql`${teams.isActive}`,
  filter: like(teams.searchText, `%${name}%`),
})
const nameOf = (n: number) => `${n <= ATLAS_TEAMS ? 'atlas' : 'zellige'} ${String(n).padStart(5, '0')}`
const namesOf = async (ids: string[]) => {
  const rows = await connection.sql<{ id: string; name: string }[]>`select id, name from teams where id = any(${ids})`
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((id) => names.get(id))
}
const lastNames = Array.from({ length: ZELLIGE_TEAMS }, (_, index) => nameOf(ATLAS_TEAMS + 1 + index))

describe('a page of a filtered list', () => {
  it.each([
    ['sorts all where the first rows do not fill the page', 'asc', [4, 2, 3], lastNames],
    ['is read in order where they do, and where the list ends', 'desc', [2, 2, 3], lastNames.toReversed()],
  ] as const)('with many matches %s', async (_title, direction, statements, expected) => {
    const ids: string[] = []
    const counts: number[] = []
    let cursor: string | undefined
    do {
      sent.length = 0
      const page = await findFiltered(connection.db, list(direction, 'zellige'), { page: 1, limit: 500, cursor })
      counts.push(sent.length)
      expect([page.total, page.isTotalCapped]).toEqual([1000, true])
      ids.push(...page.rows.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(await namesOf(ids)).toEqual(expected)
    expect(counts).toEqual(statements)
  })

  it('is found by number with many matches', async () => {
    const { rows, nextCursor } = await findFiltered(connection.db, list('asc', 'zellige'), { page: 13, limit: 100 })
    expect(await namesOf(rows.map(({ id }) => id))).toEqual(lastNames.slice(1200))
    expect(nextCursor).toBeNull()
  })

  it('takes one statement with few matches, and counts them', async () => {
    const first = await findFiltered(connection.db, list('desc', 'zellige 2500'), { page: 1, limit: 4 })
    expect(sent).toHaveLength(1)
    expect([first.total, first.isTotalCapped]).toEqual([10, undefined])
    const paging = { page: 1, limit: 100, cursor: first.nextCursor ?? '' }
    const rest = await findFiltered(connection.db, list('desc', 'zellige 2500'), paging)
    const ids = [...first.rows, ...rest.rows].map(({ id }) => id)
    expect(await namesOf(ids)).toEqual(Array.from({ length: 10 }, (_, index) => nameOf(25_009 - index)))
    const beyond = await findFiltered(connection.db, list('desc', 'zellige 2500'), { page: 4, limit: 4 })
    expect(beyond).toEqual({ rows: [], nextCursor: null, total: 10 })
  })

  it('is empty without matches, and still rejects another list’s cursor', async () => {
    const paging = { page: 1, limit: 4 }
    expect(await findFiltered(connection.db, list('asc', 'nobody'), paging)).toEqual({
      rows: [],
      nextCursor: null,
      total: 0,
    })
    const { nextCursor } = await findFiltered(connection.db, list('asc', 'zellige'), paging)
    const found = findFiltered(connection.db, list('desc', 'nobody'), { ...paging, cursor: nextCursor ?? '' })
    await expect(found).rejects.toThrow('Not a valid cursor')
  })
})

describe('a works search with more than 1,000 matching team names', () => {
  const search = (input: object) =>
    findWorks(connection.db, { search: 'zellige', page: 1, limit: 100, sort: 'newest', ...input }, null)

  it.each([
    ['newest', lastNames],
    ['oldest', lastNames.toReversed()],
    // All have the same score; the older ones are first.
    ['highest', lastNames.toReversed()],
  ] as const)('finds all works, %s first', async (sort, expected) => {
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await search({ sort, cursor })
      expect([page.total, page.isTotalCapped]).toEqual([1000, true])
      names.push(...page.rows.map(({ team }) => team.name))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(names).toEqual(expected)
  })
})
