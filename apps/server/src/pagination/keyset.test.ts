import { randomUUID } from 'node:crypto'
import { CHALLENGE_SORTS, TEAM_SORTS, WORK_SORTS } from '@community/contract'
import { connect, type Db } from '@community/db'
import {
  auditLog,
  blacklist,
  challenges,
  jobs,
  submissions,
  teamMembers,
  teamRolesNeeded,
  teams,
  users,
  warnings,
} from '@community/db/schema'
import { createTestDatabase } from '@community/testing/database'
import { challengeRow, rolesOf, teamRow, userRow } from '@community/testing/database/rows'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toFailure } from '../http/failure.ts'
import { openTestServerOn, type TestUser, type TestServer } from '../../test/test-server.ts'
import { listOrder } from './list-order.ts'
import { queryPage } from './keyset.ts'
import { parseCursor } from './cursor.ts'
import { findPending, findWorks } from '../submissions/queries.ts'
import { findTeams } from '../teams/list-queries.ts'
import { findLeaderboard } from '../teams/leaderboard-queries.ts'
import { titledSearchText } from '../search/search-text.ts'

let server: TestServer
let url: string
let admin: TestUser
let member: TestUser

/** Teams with few distinct values, so that ties span pages. */
const TEAMS = 23
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 10, minutes))

async function insertTeams(names: string[]): Promise<string[]> {
  const rows = await server.db
    .insert(teams)
    .values(
      names.map((name, index) =>
        teamRow({
          name,
          searchText: titledSearchText(name, ''),
          maxMembers: 11,
          memberCount: 1 + (index % 3),
          points: index % 4,
          challengesCompleted: index % 2,
          ownerId: member.id,
        }),
      ),
    )
    .returning({ id: teams.id })
  return rows.map(({ id }) => id)
}

async function setTimeZone(url: string) {
  const { sql: own, close } = connect(url, { max: 1 })
  await own`alter database ${own(new URL(url).pathname.slice(1))} set timezone to 'Asia/Kolkata'`
  await close()
}

/** The values of the placeholders in `LISTS`. */
const ids = { team: '', challenge: '', role: '', member: '' }

beforeAll(async () => {
  const database = await createTestDatabase()
  // A zone with a half-hour offset: cursors must not depend on the session's time zone.
  url = database.url
  await setTimeZone(url)
  server = await openTestServerOn(database)
  ;[admin, member] = await Promise.all([server.createAdmin(), server.createMember()])
  const teamIds = await insertTeams(Array.from({ length: TEAMS }, (_, index) => `Team ${index} أسود`))
  await server.db
    .insert(teamMembers)
    .values(teamIds.map((teamId) => ({ teamId, userId: member.id, isChef: true, name: 'M', email: member.email })))
  const [role] = await rolesOf(server.db)
  await server.db
    .insert(teamRolesNeeded)
    .values(teamIds.slice(5, 16).map((teamId) => ({ teamId, roleId: role.id, position: 0 })))
  const created = await server.db
    .insert(challenges)
    .values(
      Array.from({ length: 17 }, (_, index) =>
        challengeRow({
          title: `Challenge ${index}`,
          searchText: `challenge ${index}`,
          // Open and expired challenges, in pairs with the same deadline.
          deadline: new Date(Date.now() + (Math.floor(index / 2) - 4) * 3_600_000),
          category: 'Design',
          isActive: index % 5 !== 0,
        }),
      ),
    )
    .returning({ id: challenges.id })
  const challengeId = created[1]?.id ?? ''
  Object.assign(ids, { team: teamIds[0], challenge: challengeId, role: role.id, member: member.id })
  await server.db.insert(submissions).values(
    [...teamIds, ...Array.from({ length: 7 }, () => ids.team)].map((teamId, index) => ({
      teamId,
      challengeId,
      submittedBy: member.id,
      type: 'link' as const,
      content: 'https://github.com/atlas/app',
      createdAt: at(index % 5),
      ...(index % 3 === 0
        ? { status: 'pending' as const }
        : { status: 'approved' as const, score: 1 + (index % 4), points: 1, evaluatedAt: at(index) }),
    })),
  )
  await server.db
    .insert(users)
    .values(
      Array.from({ length: 11 }, (_, index) =>
        userRow({ name: index % 2 ? 'ÉMILE' : 'Zahra', warningCount: index % 2, createdAt: at(index % 3) }),
      ),
    )
  await server.db
    .insert(warnings)
    .values(Array.from({ length: 9 }, (_, index) => ({ userId: member.id, reason: 'No.', createdAt: at(index % 2) })))
  await server.db.insert(blacklist).values(
    Array.from({ length: 9 }, (_, index) => {
      const email = `${randomUUID()}@example.ma`
      return { email, emailKey: email, reason: 'No.', createdAt: at(index % 2) }
    }),
  )
  await server.db.insert(auditLog).values(Array.from({ length: 9 }, () => ({ actorName: 'A', action: 'admin.warn' })))
  await server.db.insert(jobs).values(
    Array.from({ length: 9 }, (_, index) => ({
      kind: 'mail',
      template: 'code-reset',
      recipient: 'x@example.ma',
      language: 'en' as const,
      payload: 'x',
      status: 'dead' as const,
      createdAt: at(index % 2),
    })),
  )
})
afterAll(() => server.close())

type Row = { id: string }
const fillPath = (path: string) =>
  path.replace(/\{(team|challenge|role|member)\}/, (_, name: keyof typeof ids) => ids[name])
/** Reads a list to its end by cursor, calling `between` after each page. */
async function readPages(user: TestUser, path: string, list: string, limit: number, between?: () => Promise<unknown>) {
  const ids: string[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const query: string = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`
    const { status, body } = await server.rest(user)(`GET ${query}`)
    expect([status, body.message]).toEqual([200, 'OK'])
    ids.push(...body.data[list].map(({ id }: Row) => id))
    cursor = body.data.pagination.nextCursor
    pages++
    await between?.()
  } while (cursor !== null && pages < 100)
  return { ids, pages }
}
const forgeCursor = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
const readAll = async (user: TestUser, path: string, list: string): Promise<string[]> =>
  (await server.rest(user)(`GET ${path}${path.includes('?') ? '&' : '?'}limit=100`)).body.data[list].map(
    ({ id }: Row) => id,
  )

const LISTS: [path: string, list: string][] = [
  ...TEAM_SORTS.flatMap((sort): [string, string][] => [
    [`/teams?sort=${sort}&order=asc`, 'teams'],
    [`/teams?sort=${sort}&order=desc`, 'teams'],
    [`/teams?sort=${sort}&order=desc&search=team`, 'teams'],
  ]),
  ...WORK_SORTS.flatMap((sort): [string, string][] => [
    [`/submissions/approved?sort=${sort}`, 'submissions'],
    [`/submissions/approved?sort=${sort}&search=challenge`, 'submissions'],
  ]),
  ['/teams/leaderboard', 'leaderboard'],
  ['/submissions/leaderboard', 'submissions'],
  ['/submissions', 'submissions'],
  ['/submissions/pending', 'submissions'],
  ['/users/submissions', 'submissions'],
  ['/challenges/my-team-applications', 'applications'],
  ['/challenges', 'challenges'],
  ['/challenges?search=challenge', 'challenges'],
  ['/challenges/active', 'challenges'],
  ...CHALLENGE_SORTS.map((sort): [string, string] => [`/admin/challenges?sort=${sort}`, 'challenges']),
  ...['createdAt', 'name', 'email', 'warnings'].flatMap((sort): [string, string][] => [
    [`/users?sort=${sort}&order=asc`, 'users'],
    [`/users?sort=${sort}&order=desc`, 'users'],
    [`/users?sort=${sort}&status=active`, 'users'],
  ]),
  ['/challenges/category/Design', 'challenges'],
  ['/challenges/difficulty/Beginner', 'challenges'],
  ['/challenges/{challenge}/submissions', 'submissions'],
  ['/teams/{team}/submissions', 'submissions'],
  ['/teams?role={role}&sort=points&order=desc', 'teams'],
  ['/submissions?status=approved&challengeId={challenge}', 'submissions'],
  ['/users/{member}/teams', 'teams'],
  ['/admin/warnings', 'warnings'],
  ['/admin/blacklist', 'blacklist'],
  ['/admin/audit', 'entries'],
  ['/admin/mails', 'mails'],
]

describe('cursor pagination', () => {
  it.each(LISTS)('%s returns the whole list in order', async (template, list) => {
    const path = fillPath(template)
    const user = path.startsWith('/users/submissions') || path.includes('my-team') ? member : admin
    const expected = await readAll(user, path, list)
    expect(expected.length).toBeGreaterThan(3)
    const { ids, pages } = await readPages(user, path, list, 3)
    expect(ids).toEqual(expected)
    expect(pages).toBe(Math.ceil(expected.length / 3))
  })

  it.each(LISTS)('%s links to its next page', async (template, list) => {
    const path = fillPath(template)
    const user = path.startsWith('/users/submissions') || path.includes('my-team') ? member : admin
    const expected = await readAll(user, path, list)
    const addresses = [`${path}${path.includes('?') ? '&' : '?'}limit=2`]
    const ids: string[] = []
    for (const address of addresses) {
      const { headers, body } = await server.rest(user)(`GET ${address}`)
      ids.push(...body.data[list].map(({ id }: Row) => id))
      expect(body.data.pagination.page).toBe(address.includes('cursor=') ? undefined : 1)
      const [, next] = /^<http:\/\/localhost:3000\/api(\/[^>]+)>; rel="next"$/.exec(String(headers.link)) ?? []
      expect([headers.link === undefined, body.data.pagination.nextCursor === null]).toEqual([!next, !next])
      if (next) addresses.push(next)
    }
    expect(ids).toEqual(expected)
  })

  it.each(LISTS)('%s has pages by number', async (template, list) => {
    const path = fillPath(template)
    const user = path.startsWith('/users/submissions') || path.includes('my-team') ? member : admin
    const expected = await readAll(user, path, list)
    const totalPages = Math.ceil(expected.length / 3)
    const ids: string[] = []
    for (let page = 1; page <= totalPages; page++) {
      const { body } = await server.rest(user)(`GET ${path}${path.includes('?') ? '&' : '?'}limit=3&page=${page}`)
      ids.push(...body.data[list].map(({ id }: Row) => id))
      expect(body.data.pagination).toMatchObject({ page, limit: 3, total: expected.length, totalPages })
    }
    expect(ids).toEqual(expected)
  })

  it('neither skips nor repeats rows when others are inserted or deleted before the cursor', async () => {
    const expected = await readAll(member, '/teams', 'teams')
    let round = 0
    const passing: string[] = []
    const { ids } = await readPages(member, '/teams', 'teams', 4, async () => {
      // Sorted first: with an offset the next page would repeat a row, and after the deletion skip one.
      if (passing.length > 0) await server.sql`delete from teams where id = ${passing.pop() ?? ''}`
      passing.push(...(await insertTeams([`AAA ${round++}`, `AAB ${round}`])))
    })
    expect(ids).toEqual(expected)
    await server.sql`delete from teams where name like 'AA%'`
  })

  it('continues when the cursor’s row was deleted', async () => {
    const [gone] = await insertTeams(['AAA goes'])
    const first = await server.rest(member)('GET /teams?limit=1')
    expect(first.body.data.teams[0].id).toBe(gone)
    await server.sql`delete from teams where id = ${gone ?? ''}`
    const next = await server.rest(member)(`GET /teams?limit=100&cursor=${first.body.data.pagination.nextCursor}`)
    expect(next.body.data.teams.map(({ id }: Row) => id)).toEqual(await readAll(member, '/teams', 'teams'))
  })

  it('continues after a name that normalises to many letters', async () => {
    const [long] = await insertTeams(['\ufdfa'.repeat(40)])
    const { ids: read } = await readPages(member, '/teams?order=desc', 'teams', 1)
    // Not the last page, so it has a cursor.
    expect(read.slice(0, -1)).toContain(long)
    expect(read).toEqual(await readAll(member, '/teams?order=desc', 'teams'))
    await server.sql`delete from teams where id = ${long ?? ''}`
  })

  it('keeps the order of the first page while deadlines pass', async () => {
    const rows = await server.db
      .select({ id: challenges.id, deadline: challenges.deadline, isActive: challenges.isActive })
      .from(challenges)
    const orderAt = (instant: number) => {
      const isOpen = (row: (typeof rows)[number]) => row.isActive && row.deadline.getTime() > instant
      const byDeadline = rows.toSorted((a, b) => Number(a.deadline) - Number(b.deadline) || (a.id < b.id ? -1 : 1))
      const closed = byDeadline.filter((row) => !isOpen(row))
      closed.sort((a, b) => Number(b.deadline) - Number(a.deadline) || (a.id < b.id ? -1 : 1))
      return [...byDeadline.filter(isOpen), ...closed]
    }
    const idsOf = (list: Row[]) => list.map(({ id }) => id)
    expect(await readAll(admin, '/challenges', 'challenges')).toEqual(idsOf(orderAt(Date.now())))
    // As if the first page was read two and a half hours ago: two deadlines have passed since.
    const instant = Date.now() - 2.5 * 3_600_000
    const [first, ...rest] = orderAt(instant)
    expect(idsOf(rest)).not.toEqual(idsOf(orderAt(Date.now()).filter(({ id }) => id !== first?.id)))
    const deadline = first?.deadline.toISOString()
    const cursor = forgeCursor([
      'challenges.deadline',
      new Date(instant).toISOString(),
      'true',
      deadline,
      deadline,
      first?.id,
    ])
    for (const search of ['', '&search=challenge']) {
      const { body } = await server.rest(admin)(`GET /challenges?limit=100&cursor=${cursor}${search}`)
      expect(idsOf(body.data.challenges)).toEqual(idsOf(rest))
    }
  })

  it('rejects a page that would skip more than 10,000 rows of a longer list', async () => {
    const order = listOrder('numbers', [{ expression: sql`n`, type: 'bigint' }])
    const pageOf = (rows: number) =>
      queryPage(server.db, order, { page: 10_002, limit: 1 }, async (db, { limit, offset }) =>
        db.execute<{ key: string }>(sql`
          select n::text as key from generate_series(1, ${rows}) n order by n limit ${limit} offset ${offset}`),
      )
    expect(await pageOf(10_000)).toEqual({ rows: [], nextCursor: null })
    expect(toFailure(await pageOf(10_001).catch((error: unknown) => error)).body).toMatchObject({
      code: 'VALIDATION',
      errors: [{ path: 'page', msg: 'This page number is too high. Use cursor.' }],
    })
  })

  it('starts the index scan at the cursor, also among ties', async () => {
    await server.sql`create table things as select 1 as points, 'n' || n as name, n as id from generate_series(1, 5000) n`
    await server.sql`create index on things (points, name, id)`
    await server.sql`analyze things`
    const keys = [
      { expression: sql`points`, type: 'bigint' },
      { expression: sql`name`, type: 'text' },
      { expression: sql`id`, type: 'bigint' },
    ] as const
    const planOf = async (direction: 'asc' | 'desc') => {
      const order = listOrder(
        'things',
        keys.map((key) => ({ ...key, direction })),
      )
      let after: SQL | undefined
      const paging = { page: 2, limit: 5, cursor: forgeCursor(['things', '1', 'n500', '500']) }
      await queryPage(server.db, order, paging, async (_db, window) => {
        after = window.after
        return []
      })
      const ordered = sql.join(order.orderBy, sql`, `)
      const plan = await server.db.execute(
        sql`explain select id from things where ${after} order by ${ordered} limit 6`,
      )
      return JSON.stringify(plan)
    }
    for (const direction of ['asc', 'desc'] as const) {
      expect(await planOf(direction)).toContain('Index Cond: (ROW(points, name, id)')
      expect(await planOf(direction)).not.toMatch(/Filter|Sort/)
    }
    await server.sql`drop table things`
  })
})

describe('the query plan of a page', () => {
  const CALLS = 8
  const FIRST = {
    page: 1,
    sort: 'name',
    order: 'asc',
    includeInactive: false,
    search: '',
    searchesDescriptions: true,
  } as const

  /** How often the calls ran custom and generic plans, on a separate connection. */
  async function plansOf(call: (db: Db, limit: number) => Promise<unknown>) {
    const { db, sql: own, close } = connect(url, { max: 1 })
    for (let limit = 1; limit <= CALLS; limit++) await call(db, limit)
    const [plans] = await own`
      select sum(custom_plans)::int as custom, sum(generic_plans)::int as generic from pg_prepared_statements where statement like ${'%limit $%'}`
    await close()
    return plans
  }

  it('is generic after five executions with any limit and viewer', async () => {
    const generic = { custom: 5, generic: CALLS - 5 }
    const first = { page: 1, search: '', sort: 'newest' } as const
    expect(await plansOf((db, limit) => findWorks(db, { ...first, limit }, member.id))).toEqual(generic)
    const { nextCursor } = await findWorks(server.db, { ...first, limit: 3 }, member.id)
    const next = { ...first, cursor: nextCursor ?? '' }
    expect(await plansOf((db, limit) => findWorks(db, { ...next, limit }, member.id))).toEqual(generic)
    expect(await plansOf((db, limit) => findPending(db, { page: 1, limit }, admin.id))).toEqual(generic)
    expect(await plansOf((db, limit) => findTeams(db, { ...FIRST, limit }))).toEqual(generic)
    expect(await plansOf((db, limit) => findLeaderboard(db, { page: 1, limit }))).toEqual(generic)
  })

  it('is custom for a role filter, whose selectivity varies', async () => {
    await insertTeams(Array.from({ length: 3000 }, (_, index) => `Planned ${index}`))
    await server.sql`
      insert into team_roles_needed (team_id, role_id, position)
      select teams.id, (select id from roles where id <> ${ids.role} limit 1), 0 from teams where name like 'Planned %'`
    await server.sql`analyze`
    expect(await plansOf((db, limit) => findTeams(db, { ...FIRST, limit, role: ids.role }))).toEqual({
      custom: CALLS,
      generic: 0,
    })
    await server.sql`delete from teams where name like 'Planned %'`
  })
})

describe('a cursor', () => {
  const wrong = [
    'x',
    '%%%',
    'A'.repeat(3001),
    forgeCursor(null),
    forgeCursor(['teams.name.asc']),
    forgeCursor(['teams.name.asc', 'atlas', 'not-an-id']),
    forgeCursor(['teams.name.asc', 'at\0las', randomUUID()]),
    forgeCursor(['teams.name.asc', 'atlas', randomUUID(), 'more']),
    forgeCursor(['teams.name.desc', 'atlas', randomUUID()]),
    forgeCursor(['teams.points.asc', '1; drop table teams', 'atlas', randomUUID()]),
  ]
  it.each(wrong)('that the server did not issue is rejected: %s', async (cursor) => {
    const { status, body } = await server.rest(member)(`GET /teams?cursor=${encodeURIComponent(cursor)}`)
    expect([status, body.code]).toEqual([400, 'VALIDATION'])
    expect(body.errors).toContainEqual(expect.objectContaining({ msg: 'Not a valid cursor', path: 'cursor' }))
    const { failure } = await server.trpc(member, 'teams.list', { cursor })
    expect(failure.errors).toContainEqual(expect.objectContaining({ msg: 'Not a valid cursor', path: 'cursor' }))
  })

  it('of another list is rejected', async () => {
    const { nextCursor } = (await server.rest(member)('GET /submissions/approved?limit=1')).body.data.pagination
    expect((await server.rest(member)(`GET /teams?cursor=${nextCursor}`)).status).toBe(400)
    const otherSort = await server.rest(member)(`GET /submissions/approved?sort=highest&cursor=${nextCursor}`)
    expect(otherSort.status).toBe(400)
  })

  it('is checked for the types of its keys', () => {
    const order = listOrder('things', [
      { expression: sql`at`, type: 'timestamptz' },
      { expression: sql`is_open`, type: 'boolean' },
      { expression: sql`points`, type: 'bigint' },
    ])
    const read = (...values: string[]) => parseCursor(order, forgeCursor(['things', ...values]))
    const good = ['2026-11-21T10:00:00.123456Z', 'true', '-7']
    expect(read(...good)).toEqual(good)
    expect(read('infinity', 'false', '0')).toEqual(['infinity', 'false', '0'])
    for (const [index, value] of [
      [0, '2026-13-45T10:00:00Z'],
      [0, '2026-02-30T10:00:00Z'],
      [0, '0000-01-01T00:00:00Z'],
      [0, '2026-11-21T10:00:00+23:59'],
      [0, `2026-11-21T10:00:00.${'1'.repeat(7)}Z`],
      [0, `2026-11-21T10:00:00.${'0'.repeat(300)}Z`],
      [0, '-infinity'],
      [0, 'now()'],
      [1, 't'],
      [2, '1e3'],
      [2, '9'.repeat(16)],
    ] as const)
      expect(() => read(...good.with(index, value))).toThrow('Not a valid cursor')
  })
})
