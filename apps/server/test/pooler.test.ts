import { type Connection, connect, isTimeout, type Pooler, SESSION_TIMEOUTS } from '@community/db'
import { createTestDatabase, databaseUrlOf, type TestDatabase } from '@community/testing/database'
import { buildServer, launch, type Settings } from '@community/testing/server'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkPooler } from '../src/start/check-pooler.ts'

let database: TestDatabase
let sql: postgres.Sql
const pools: Connection[] = []
const open = (pooler?: Pooler) => {
  const pool = connect(database.url, { max: 1, pooler })
  pools.push(pool)
  return pool
}
const errorMessageOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: Error) => error.message,
  )
beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
})
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('a pool behind a pooler in transaction mode', () => {
  it.each([
    [undefined, true],
    ['transaction-prepared', true],
    ['transaction', false],
  ] as const)('sends named statements as %s: %s', async (pooler, isNamed) => {
    const pool = open(pooler)
    for (const id of [1, 2]) expect(await pool.sql`select ${id}::int as id`).toEqual([{ id }])
    const named = await pool.sql<{ statement: string }[]>`select statement from pg_prepared_statements`
    expect(named.some(({ statement }) => statement === 'select $1::int as id')).toBe(isNamed)
  })

  it('sends no session settings, which a pooler rejects', async () => {
    const settingsOf = async (pooler?: Pooler) =>
      Object.fromEntries(
        (
          await open(pooler).sql<{ name: string; setting: string }[]>`
            select name, setting from pg_settings where source = 'client' and name = any(${[...Object.keys(SESSION_TIMEOUTS), 'jit']})`
        ).map(({ name, setting }) => [name, Number(setting)]),
      )
    expect(await settingsOf()).toMatchObject(SESSION_TIMEOUTS)
    expect(await settingsOf('transaction')).toEqual({})
  })
})

describe('checkPooler', () => {
  it('names the statements that give the sessions their timeouts, and accepts sessions that have them', async () => {
    const message = await errorMessageOf(checkPooler(database.url, 'transaction'))
    expect(message).toMatch(/^DATABASE_POOLER: the sessions of the pooler do not time out; run ALTER ROLE "app" IN/)
    const statements = message.match(/ALTER ROLE [^;]+;/g) ?? []
    expect(statements).toHaveLength(Object.keys(SESSION_TIMEOUTS).length)
    for (const statement of statements) await sql.unsafe(statement)
    await checkPooler(database.url, 'transaction')
    await sql.unsafe(
      `ALTER ROLE "app" IN DATABASE "${new URL(database.url).pathname.slice(1)}" SET lock_timeout = 60000`,
    )
    expect(await errorMessageOf(checkPooler(database.url, 'transaction'))).toMatch(/SET lock_timeout = 2000;/)
  })
})

const { poolerPort } = inject('postgresServer')
describe.runIf(poolerPort)('PgBouncer', () => {
  it('ends a statement after its timeout', async () => {
    const pool = database.connect({ max: 1 })
    pools.push(pool)
    const startedAt = performance.now()
    const error: unknown = await pool.sql`select pg_sleep(10)`.catch((failure: unknown) => failure)
    expect(isTimeout(error)).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(SESSION_TIMEOUTS.statement_timeout + 1000)
  })

  it('runs new statements that are pipelined behind others', async () => {
    const pool = database.connect({ max: 1 })
    pools.push(pool)
    for (let round = 0; round < 100; round++) {
      const statements = [`select 1`, `select $1::int + ${round} as sum`, `select 2`]
      const found = await Promise.all(statements.map((text, index) => pool.sql.unsafe(text, index === 1 ? [1] : [])))
      expect(found[1]).toEqual([{ sum: round + 1 }])
    }
  })

  async function expectRefused(settings: Settings, problem: RegExp) {
    buildServer()
    const folder = await mkdtemp(path.join(os.tmpdir(), 'community-pooler-'))
    const { output, exited } = await launch({ DATA_DIR: folder, ...settings })
    await exited
    await rm(folder, { recursive: true, force: true })
    expect(output.err).toMatch(problem)
  }

  it('is rejected as DATABASE_URL without DATABASE_POOLER', () =>
    expectRefused(
      { DATABASE_URL: database.settings.DATABASE_URL ?? '' },
      /^DATABASE_URL: .*name the server itself, or set DATABASE_POOLER/,
    ))

  it('reports a missing database', () =>
    expectRefused(
      { ...database.settings, DATABASE_URL: databaseUrlOf(database.settings.DATABASE_URL ?? '', 'nowhere') },
      /^DATABASE_URL: the pooler at .* refuses the connection \(.*nowhere/,
    ))
})
