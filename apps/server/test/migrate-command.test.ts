import type { ChildProcess } from 'node:child_process'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { buildServer, launch, type Settings } from '@community/testing/server'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'

const children: ChildProcess[] = []
let database: TestDatabase
let sql: postgres.Sql
beforeAll(async () => {
  buildServer()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await sql.end()
  await database.drop()
})

async function launchMigration(settings: Settings) {
  const launched = await launch({ LOG_LEVEL: 'info', ...settings }, { args: ['migrate'] })
  children.push(launched.child)
  return launched
}

it('migrates an empty database, and does nothing when it is migrated', async () => {
  const [expected] = await sql`select count(*) from drizzle.__drizzle_migrations`
  await sql`drop schema public cascade`
  await sql`drop schema drizzle cascade`
  await sql`create schema public`
  for (const _run of [1, 2]) {
    const { output, exited } = await launchMigration({ ...database.settings })
    expect([(await exited).code, output.err]).toEqual([0, ''])
    expect(output.out).toContain('the database is migrated')
    expect(await sql`select count(*) from drizzle.__drizzle_migrations`).toEqual([expected])
  }
  expect(await sql`select to_regclass('teams_ranked') is not null as "hasIndex"`).toEqual([{ hasIndex: true }])
})

it('requires DATABASE_URL', async () => {
  const { output, exited } = await launchMigration({})
  expect((await exited).code).toBe(1)
  expect(output.err).toMatch(/^DATABASE_URL: is missing/)
})

it('waits for a database that is unavailable, until a signal stops it', async () => {
  const { child, output, exited } = await launchMigration({ DATABASE_URL: 'postgres://u:p@127.0.0.1:9/x' })
  await expect.poll(() => output.out, { timeout: 20_000 }).toContain('Until it is available')
  child.kill('SIGTERM')
  expect((await exited).code).toBe(1)
})
