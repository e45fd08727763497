import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { listenLocally, until } from '@community/testing'
import { freePort } from '@community/testing/server'
import { expect, it, onTestFinished } from 'vitest'
import { readRepositoryFile } from './deploy-files.ts'

/** Starts HAProxy as configured, a hundred times faster, in front of three servers that answer `/api/health` at once and all else late. */
async function startHaproxy(delayMs: number) {
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
  const [folder, port] = [await mkdtemp(path.join(os.tmpdir(), 'community-haproxy-')), await freePort()]
  const file = path.join(folder, 'haproxy.cfg')
  const config = readRepositoryFile('deploy/haproxy.cfg')
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(/timeout server (\d+)s/g, (_, seconds) => `timeout server ${Number(seconds) * 10}ms`)
    .replaceAll(/10\.0\.0\.1(\d):3000/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`)
  await writeFile(file, config)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const get = (url: string) => fetch(`http://127.0.0.1:${port}${url}`)
  await until('HAProxy passes requests on', () =>
    get('/api/health').then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { get, requests }
}

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

it.runIf(hasHaproxy)('HAProxy waits for a slow export, and asks one server only', async () => {
  const { get, requests } = await startHaproxy(600)
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
