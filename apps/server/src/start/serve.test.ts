import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@community/testing/database'
import { BUNDLE_PATHS, freePort } from '@community/testing/server'
import pino from 'pino'
import postgres from 'postgres'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { startServer } from './serve.ts'

async function prepareStart() {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const config = readConfig({
    ...BUNDLE_PATHS,
    ...database.settings,
    NODE_ENV: 'development',
    DATA_DIR: folder,
    PORT: String(port),
  })
  return { config, database, folder, port }
}

it('does not listen before it is ready', async () => {
  const { config, port } = await prepareStart()
  const server = startServer(config, pino({ level: 'silent' }))
  onTestFinished(() => server.stop())
  const readStatus = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ status }) => status,
      () => undefined,
    )
  const waitForStatus = async (): Promise<number> => (await readStatus()) ?? waitForStatus()
  const [status] = await Promise.all([waitForStatus(), server.ready])
  expect(status).toBe(200)
})

it('closes services that open after the stop', async () => {
  const { config, folder, port } = await prepareStart()
  let stopped: Promise<void> | undefined
  // The web app's folder is read once the services are open, just before the app is built.
  Object.defineProperty(config, 'webDir', {
    get() {
      stopped ??= server.stop()
      return path.join(folder, 'not-built')
    },
  })
  const server = startServer(config, pino({ level: 'silent' }))
  await expect(server.ready).rejects.toThrow()
  expect(stopped).toBeDefined()
  await stopped
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('is ready before missing indexes are built, and builds them meanwhile', async () => {
  const { config, database } = await prepareStart()
  const sql = postgres(database.url, { max: 2, onnotice: () => {} })
  onTestFinished(() => sql.end())
  await sql`drop index teams_ranked`
  const dump = await sql.reserve()
  // The build waits for transactions that began earlier.
  await dump`begin isolation level repeatable read`
  await dump`select 1 from teams`
  const server = startServer(config, pino({ level: 'silent' }))
  onTestFinished(() => server.stop())
  await server.ready
  const findIndex = () => sql<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('teams_ranked')`
  await expect.poll(findIndex).toEqual([{ isValid: false }])
  await dump`commit`
  dump.release()
  await expect.poll(findIndex).toEqual([{ isValid: true }])
})
