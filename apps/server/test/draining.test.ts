import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@community/testing/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, freePort, launch } from '@community/testing/server'

let dir: string
beforeAll(async () => {
  buildServer()
  dir = await mkdtemp(path.join(os.tmpdir(), 'community-draining-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('fails readiness first on SIGTERM, keeps answering while it drains, then exits with 0', async () => {
  const database = await createTestDatabase()
  const port = await freePort()
  const status = async (url: string) =>
    (await fetch(`http://127.0.0.1:${port}${url}`).catch(() => null))?.status ?? 'nothing'
  const { child, output, exited } = await launch({
    PORT: String(port),
    ...database.settings,
    DATA_DIR: dir,
    DRAIN_SECONDS: '2',
  })
  await expect.poll(() => status('/api/health'), { timeout: 20_000, message: output.err }).toBe(200)
  const startedAt = Date.now()
  child.kill('SIGTERM')
  await expect.poll(() => status('/api/health'), { interval: 5 }).toBe(503)
  expect(await status('/api/roles')).toBe(200)
  expect(await status('/api/health/live')).toBe(200)
  expect((await exited).code).toBe(0)
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2000)
  await database.drop()
})
