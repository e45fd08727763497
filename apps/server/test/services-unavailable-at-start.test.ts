import type { ChildProcess } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { listenLocally } from '@community/testing'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, freePort, launch } from '@community/testing/server'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = 'a-secret-that-nobody-may-read-in-a-log'
const children: ChildProcess[] = []
const servers: Server[] = []
const folder = temporaryFolder()
let postgres: FaultyPostgres
beforeAll(async () => {
  buildServer()
  postgres = await startFaultyPostgres()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => postgres.remove())

async function listen(server: Server): Promise<string> {
  servers.push(server)
  return `127.0.0.1:${await listenLocally(server)}`
}

/** Starts a server whose database is unavailable, and waits until it logs that. */
async function launchWaiting(databaseUrl: string) {
  const port = await freePort()
  const launched = await launch({ PORT: String(port), DATA_DIR: folder, DATABASE_URL: databaseUrl })
  children.push(launched.child)
  const get = (url: string) => fetch(`http://127.0.0.1:${port}${url}`)
  const status = async (url: string) => (await get(url).catch(() => null))?.status ?? 'nothing'
  await expect.poll(() => launched.output.out, { timeout: 20_000 }).toContain('DATABASE_URL')
  await expect.poll(() => status('/api/health/live'), { timeout: 20_000 }).toBe(200)
  return { ...launched, ask: get, status }
}

const withSecret = (address: string) => `postgres://app:${SECRET}@${address}/x`

describe('while the database is unavailable at the start', () => {
  it('answers liveness, 503 to everything else, and becomes ready by itself', async () => {
    await postgres.stop()
    const { child, output, exited, ask, status } = await launchWaiting(postgres.url)
    for (const url of ['/api/health', '/api/roles', '/trpc/roles.list', '/', '/api/docs', '/nowhere']) {
      const response = await ask(url)
      expect([url, response.status, response.headers.get('retry-after')]).toEqual([url, 503, '2'])
      expect(await response.json()).toMatchObject({ success: false, code: 'UNAVAILABLE', cooldown: 2 })
    }
    expect(output.out).not.toContain('Ready after')

    await postgres.start()
    const startedAt = Date.now()
    await expect.poll(() => status('/api/health'), { interval: 20, timeout: 15_000 }).toBe(200)
    expect(Date.now() - startedAt).toBeLessThan(5000)
    // The migrations ran.
    expect(await status('/api/roles')).toBe(200)
    expect(output.out).toContain('Ready after')
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
  })

  it.each([
    [
      'refuses',
      () => Promise.resolve('127.0.0.1:9'),
      /127\.0\.0\.1:9 \(ECONNREFUSED\): start it there, or correct the address/,
    ],
    ['never answers', () => listen(createServer()), /\(no answer in time\): start it there/],
    [
      'is not PostgreSQL',
      () => listen(createHttpServer((_request, response) => response.end('hello'))),
      /\(\w+\): start it there, or correct the address/,
    ],
  ] as const)(
    'logs each reason once without the password for a port that %s, and stops cleanly',
    async (_how, address, advice) => {
      const at = await address()
      const { child, output, exited, status } = await launchWaiting(withSecret(at))
      expect(output.out).toContain(`DATABASE_URL: no PostgreSQL answers at ${at} (`)
      expect(output.out).toMatch(advice)
      expect(output.out).toContain('retrying')
      expect(await status('/api/health')).toBe(503)
      child.kill('SIGTERM')
      const { code } = await exited
      expect(code).toBe(0)
      const reasons = output.out.match(/"msg":"[^"]*"/g) ?? []
      expect(new Set(reasons).size).toBe(reasons.length)
      expect(output.out + output.err).not.toContain(SECRET)
      expect(output.err).toBe('')
    },
  )

  it('stops waiting and names the setting when the database reports it invalid', async () => {
    await postgres.stop()
    const { output, exited } = await launchWaiting(postgres.url.replace(/[^/]+$/, 'nowhere'))
    await postgres.start()
    expect((await exited).code).toBe(1)
    expect(output.err).toMatch(/^DATABASE_URL: .* has no database "nowhere": create it, or name another$/m)
  })
})
