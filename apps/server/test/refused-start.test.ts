import type { ChildProcess } from 'node:child_process'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { APP_SECRET, buildServer, launch } from '@community/testing/server'
import { temporaryFolder } from './temporary-folder.ts'

const children: ChildProcess[] = []
const folder = temporaryFolder()
let database: TestDatabase
let sql: postgres.Sql
beforeAll(async () => {
  buildServer()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1 })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await sql.end()
  await database.drop()
})

const DEVELOPMENT = { NODE_ENV: 'development' }
const PRODUCTION = { NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET, LOG_LEVEL: 'fatal' }
const ADMIN = { ADMIN_EMAIL: 'boss@example.ma', ADMIN_PASSWORD: 'Majorelle-2026' }

async function launchServer(settings: Record<string, string>) {
  const launched = await launch({ ...database.settings, DATA_DIR: folder, ...settings })
  children.push(launched.child)
  return launched
}

async function expectReady(settings: Record<string, string>): Promise<void> {
  const { child, output, exited } = await launchServer(settings)
  await expect.poll(() => output.out + output.err, { timeout: 30_000 }).toContain('Ready after')
  child.kill('SIGTERM')
  await exited
}

async function expectRefused(settings: Record<string, string>, problem: RegExp): Promise<void> {
  const { output, exited } = await launchServer(settings)
  expect((await exited).code).toBe(1)
  expect(output.err).toMatch(problem)
  expect(output.out).toBe('')
}

it('does not start exposed while an administrator has a published password', async () => {
  await expectReady(DEVELOPMENT)
  const published =
    /^ADMIN_EMAIL, ADMIN_PASSWORD: the administrator with the id \S+ still has a password that is published/
  await expectRefused({ ...PRODUCTION, ...ADMIN }, published)
  await expectRefused({ ...DEVELOPMENT, HOST: '0.0.0.0' }, published)
  await expectReady(DEVELOPMENT)

  await sql`update users set role = 'member', password_hash = null where role = 'admin'`
  await expectRefused(PRODUCTION, /^ {2}ADMIN_EMAIL is missing[^]*^ {2}ADMIN_PASSWORD is missing/m)
  await expectReady({ ...PRODUCTION, ...ADMIN })

  const otherSecret = { ...PRODUCTION, APP_SECRET: APP_SECRET.toLowerCase() }
  await expectRefused(
    otherSecret,
    /^APP_SECRET: the database belongs to servers with a certain secret, and this is another/,
  )
  await expectReady(PRODUCTION)
}, 120_000)
