import { type Connection, connect, type Db, migrate } from '@community/db'
import { PASSWORD, until } from '@community/testing'
import { createTestDatabase, databaseAt, databaseUrlOf } from '@community/testing/database'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestServerOn, type TestServer, type TestUser } from '../../test/test-server.ts'
import { readConfig } from '../config.ts'
import { openDeps } from '../deps.ts'
import { createReplica, type Replica } from './replica.ts'

let main: FaultyPostgres
let standby: FaultyPostgres
let server: TestServer
let admin: TestUser
let replica: Replica
let serverPools: Connection[]
const testPools: Connection[] = []
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) })

/** Opens a pool that is closed after the test. */
function open(url: string): Db {
  const pool = connect(url, { max: 2 })
  testPools.push(pool)
  return pool.db
}

beforeAll(async () => {
  main = await startFaultyPostgres()
  await migrate(main.url)
  standby = await startFaultyPostgres({ standbyOf: main })
  const [primary, copy] = [connect(main.url), connect(standby.url, { isReplica: true })]
  serverPools = [primary, copy]
  // With a retry delay of 0, so that tests need not wait.
  replica = createReplica(primary.db, copy.db, log, 0)
  const read = replica.createRead({ primary: primary.db, replica: copy.db })
  const overrides = { replica, readStats: read, readExport: read }
  server = await openTestServerOn({ ...databaseAt(main.url), drop: async () => {} }, {}, overrides)
  admin = await server.createAdmin()
}, 60_000)
afterAll(async () => {
  await server.close()
  await Promise.all(serverPools.map((pool) => pool.close()))
  await standby.remove()
  await main.remove()
})
beforeEach(() => void lines.splice(0))
afterEach(() => Promise.all(testPools.splice(0).map((pool) => pool.close())))

const request = (url: string, payload?: object) =>
  server.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${admin.token}` },
    ...(payload && { payload }),
  })
async function get(url: string): Promise<string> {
  const { statusCode, body } = await request(url)
  expect([url, statusCode]).toEqual([url, 200])
  return body
}
const countUsers = async () =>
  (JSON.parse(await get('/admin/stats')) as { data: { stats: { totalUsers: number } } }).data.stats.totalUsers
/** How many reads each server runs during `work`. */
async function readsOf(work: () => Promise<unknown>) {
  const before = { ...replica.reads }
  await work()
  return { replica: replica.reads.replica - before.replica, primary: replica.reads.primary - before.primary }
}
const untilUsed = () => until('the replica is used', async () => (await readsOf(countUsers)).replica === 1)

it('the replica serves statistics and exports, and no other reads', async () => {
  for (const url of [
    'stats',
    'export/teams.csv',
    'export/submissions.csv',
    'export/leaderboard.csv',
    'export/audit.csv',
  ])
    expect([url, await readsOf(() => get(`/admin/${url}`))]).toEqual([url, { replica: 1, primary: 0 }])
  const archive = () => request('/admin/export', { password: PASSWORD })
  expect(await readsOf(archive)).toEqual({ replica: 1, primary: 0 })
  for (const url of ['/teams', '/users/profile', '/users/dashboard', '/admin/audit', '/users', '/users/export'])
    expect([url, await readsOf(() => get(url))]).toEqual([url, { replica: 0, primary: 0 }])
})

it('a read on the replica sees everything that was committed before it', async () => {
  for (let round = 0; round < 20; round++) {
    const before = await countUsers()
    const team = await server.createTeam(await server.createMember())
    expect(await countUsers()).toBe(before + 1)
    expect(await get('/admin/export/teams.csv')).toContain(team.id)
  }
  expect(lines).toEqual([])
})

it('the primary serves reads while the replica lags, which is logged once', async () => {
  const copy = open(standby.url)
  await copy.execute(sql`select pg_wal_replay_pause()`)
  const { id } = await server.createTeam(await server.createMember())
  expect(await readsOf(countUsers)).toEqual({ replica: 0, primary: 1 })
  const csv = async () => expect(await get('/admin/export/teams.csv')).toContain(id)
  expect(await readsOf(csv)).toEqual({ replica: 0, primary: 1 })
  await copy.execute(sql`select pg_wal_replay_resume()`)
  await untilUsed()
  expect(lines).toEqual([
    'DATABASE_REPLICA_URL: the replica is not used (it has not caught up with the primary within 2 s); the primary serves its reads',
    'DATABASE_REPLICA_URL: the replica is used again',
  ])
}, 30_000)

it.each(['frozen', 'killed'] as const)(
  'the primary serves reads while the replica is %s',
  async (fault) => {
    await untilUsed()
    const resume: () => unknown =
      fault === 'frozen' ? await standby.freeze() : await standby.stop('killed').then(() => standby.start)
    expect(await readsOf(countUsers)).toEqual({ replica: 0, primary: 1 })
    for (const name of ['teams', 'audit']) expect(await get(`/admin/export/${name}.csv`)).not.toBe('')
    await resume()
    await untilUsed()
    expect(lines).toHaveLength(2)
  },
  60_000,
)

it('the primary repeats a read that fails on the replica, unless it must not be repeated', async () => {
  const [primary, copy] = [open(main.url), open(standby.url)]
  const read = createReplica(primary, copy, log, 0).createRead({ primary, replica: copy })
  const lost = new DrizzleQueryError('select 1', [], new Error('lost'))
  const failOnReplica = (db: unknown) => (db === copy ? Promise.reject(lost) : Promise.resolve('primary'))
  expect(await read(failOnReplica)).toBe('primary')
  expect(lines).toEqual([expect.stringContaining('is not used (lost)')])
  lines.splice(0)
  const again = createReplica(primary, copy, log).createRead({ primary, replica: copy })
  await expect(again(failOnReplica, () => false)).rejects.toBe(lost)
  expect(lines).toEqual([expect.stringContaining('is not used (lost)')])
  expect(await again(failOnReplica)).toBe('primary')
})

it('the replica stays in use after an error of the caller', async () => {
  const [primary, copy] = [open(main.url), open(standby.url)]
  const read = createReplica(primary, copy, log).createRead({ primary, replica: copy })
  const disconnected = new Error('the client disconnected')
  await expect(read(async () => Promise.reject(disconnected))).rejects.toBe(disconnected)
  expect(await read(async (db) => db === copy)).toBe(true)
  expect(lines).toEqual([])
})

it('the replica is not tried for a while after it failed', async () => {
  const primary = open(main.url)
  const tried: unknown[] = []
  // Cast, because the replica is only used through `execute`.
  const unavailable = { execute: async () => Promise.reject(new Error(`lost ${tried.push(null)}`)) } as never
  const read = createReplica(primary, unavailable, log).createRead({ primary, replica: unavailable })
  for (let nth = 0; nth < 3; nth++) expect(await read(async (db) => db === primary)).toBe(true)
  expect(tried).toHaveLength(1)
})

it('the replica is used only if it is a standby of the same database', async () => {
  const foreign = await createTestDatabase()
  const primary = open(main.url)
  for (const [url, reason] of [
    [main.url, 'it is not a standby'],
    [foreign.url, 'it is not a copy of the database of DATABASE_URL'],
    [databaseUrlOf(standby.url, 'postgres'), 'it is not a copy of the database of DATABASE_URL'],
  ] as const) {
    lines.splice(0)
    const copy = open(url)
    const read = createReplica(primary, copy, log).createRead({ primary, replica: copy })
    expect(await read(async (db) => db === primary)).toBe(true)
    expect(lines).toEqual([expect.stringContaining(`(${reason})`)])
  }
  await Promise.all(testPools.splice(0).map((pool) => pool.close()))
  await foreign.drop()
})

it('the replica is not used while it stays on the timeline of a former primary, however far it is', async () => {
  const promoted = await startFaultyPostgres({ standbyOf: main })
  const [former, primary, copy] = [open(main.url), open(promoted.url), open(standby.url)]
  await primary.execute(sql`select pg_promote()`)
  // The standby follows the former primary, which gets further than the new one.
  await former.execute(sql`create table later as select repeat('x', 1000) from generate_series(1, 5000)`)
  await until('the standby is ahead', async () => {
    const [position] = await primary.execute<{ lsn: string }>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
    const [row] = await copy.execute<{ isAhead: boolean }>(
      sql`select pg_last_wal_replay_lsn() > ${position?.lsn}::pg_lsn as "isAhead"`,
    )
    return row?.isAhead === true
  })
  const read = createReplica(primary, copy, log).createRead({ primary, replica: copy })
  expect(await read(async (db) => db === primary)).toBe(true)
  expect(lines).toEqual([expect.stringContaining('it has not caught up with the primary')])
  await Promise.all(testPools.splice(0).map((pool) => pool.close()))
  await promoted.remove()
}, 60_000)

it('the replica is the standby among the hosts of DATABASE_REPLICA_URL', async () => {
  const { host, href } = new URL(standby.url)
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: server.deps.config.dataDir,
    DATABASE_URL: main.url,
    DATABASE_REPLICA_URL: href.replace(host, `${new URL(main.url).host},${host}`),
  })
  const { deps, close } = await openDeps(config, log)
  const isStandby = (db: Db) => db.execute(sql`select pg_is_in_recovery() as "isStandby"`)
  for (const read of [deps.readStats, deps.readExport])
    expect([...(await read(isStandby))]).toEqual([{ isStandby: true }])
  expect(deps.replica?.reads).toEqual({ replica: 2, primary: 0 })
  await close()
})
