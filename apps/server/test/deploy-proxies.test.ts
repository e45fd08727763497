import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { listenLocally } from '@community/testing'
import { startHaproxy } from '@community/testing/haproxy'
import { expect, it, onTestFinished } from 'vitest'
import { readRepositoryFile } from './deploy-files.ts'

/** Starts HAProxy as configured, a hundred times faster, in front of three servers that answer `/api/health` at once and all else late. */
async function startFastHaproxy(delayMs: number) {
  const requests: string[] = []
  const ports = await Promise.all(
    [1, 2, 3].map(async () => {
      const server = createServer(({ url = '' }, response) => {
        const isHealth = url === '/api/health'
        if (!isHealth) requests.push(url)
        setTimeout(() => response.end('answer'), isHealth ? 0 : delayMs)
      })
      onTestFinished(() => server.close().closeAllConnections())
      return listenLocally(server)
    }),
  )
  const { port, stop } = await startHaproxy(ports, (config) =>
    config.replaceAll(/timeout server (\d+)s/g, (_, seconds) => `timeout server ${Number(seconds) * 10}ms`),
  )
  onTestFinished(stop)
  return { get: (url: string) => fetch(`http://127.0.0.1:${port}${url}`), requests }
}

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

it.runIf(hasHaproxy)('HAProxy waits for a slow export, and asks one server only', async () => {
  const { get, requests } = await startFastHaproxy(600)
  const exports = ['/api/admin/export/teams.csv', '/api/admin/export', '/api/users/export']
  for (const url of exports) expect([url, (await get(url)).status]).toEqual([url, 200])
  expect(requests).toEqual(exports)
  // Other reads are repeated.
  expect((await get('/api/teams')).status).toBe(504)
  expect(requests.length).toBeGreaterThan(exports.length + 1)
})

it.each(['compose', 'systemd'])('the proxy of %s passes requests to a server whose database is unavailable', (way) => {
  expect(readRepositoryFile(`deploy/${way}/Caddyfile`)).toMatch(/^\s*health_uri \/api\/health\/live$/m)
})
