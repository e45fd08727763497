import { createServer, type Socket } from 'node:net'
import { listenLocally, validInput } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import postgres from 'postgres'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { buildServer, freePort, launch } from '@community/testing/server'
import { temporaryFolder } from './temporary-folder.ts'

const dir = temporaryFolder()
beforeAll(() => buildServer())

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

/** A mail server that accepts connections and never finishes its first response. */
async function startStallingMailServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    const timer = setInterval(() => socket.write('250-more follows\r\n'), 200)
    socket.on('close', () => clearInterval(timer))
  })
  const port = await listenLocally(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${port}`, sockets }
}

it('takes no more requests and exits with 0 while a mail is being sent to a server that does not respond', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const sql = postgres(database.url, { max: 1 })
  onTestFinished(() => sql.end())
  const mailServer = await startStallingMailServer()
  const port = await freePort()
  const request = (url: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${url}`, init)
  const { child, output, exited } = await launch({
    PORT: String(port),
    ...database.settings,
    DATA_DIR: dir,
    SMTP_URL: mailServer.url,
    LOG_LEVEL: 'warn',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const isReady = async () => (await request('/api/health').catch(() => null))?.ok
  await expect.poll(isReady, { timeout: 20_000, message: output.err }).toBe(true)
  await request('/api/auth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(validInput('auth.register')),
  })
  await expect.poll(() => sql`select 1 from jobs where kind = 'mail' and lease_until > now()`).toHaveLength(1)
  child.kill('SIGTERM')
  const rejects = () =>
    request('/api/health/live').then(
      () => false,
      () => true,
    )
  await expect.poll(rejects, { timeout: 5000 }).toBe(true)
  expect(child.exitCode).toBeNull()
  expect((await exited).code).toBe(0)
  expect(output.out).toContain('stopped before all responses and jobs were finished')
  expect(await sql`select status from jobs where kind = 'mail'`).toEqual([{ status: 'pending' }])
})
