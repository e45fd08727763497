import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fileForm, until } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { Storage } from '../src/integrations/storage.ts'
import type { Deps } from '../src/context.ts'
import { createLog } from '../src/observability/log.ts'
import { pdf } from './sample-files.ts'
import { openTestServer } from './test-server.ts'

let failure = () => new Error('not expected')
/** Password verifications that wait to fail. */
const verifications: (() => void)[] = []
const untilVerifying = () => until('a password is verified', () => verifications.length > 0, 10_000)
const failVerifications = () => verifications.splice(0).forEach((fail) => fail())
const [INFO, WARN] = [30, 40]
const lines: { level: number; event?: string; msg: string; err?: object }[] = []

const server = await openTestServer()
const member = await server.createMember()
const { storage } = server.deps
// Slow enough for clients to disconnect before, during and after the first byte.
const slow: Storage = {
  ...storage,
  put: async (...args) => {
    await sleep(20)
    return storage.put(...args)
  },
  open: async (...args) => {
    await sleep(20)
    return storage.open(...args)
  },
}
const passwords: Deps['passwords'] = {
  ...server.deps.passwords,
  verify: () => new Promise((_, reject) => verifications.push(() => reject(failure()))),
}
const app = await buildApp(
  { ...server.deps, storage: slow, passwords },
  {
    logger: createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) }),
  },
)
await app.listen({ port: 0, host: '127.0.0.1' })
const port = (app.server.address() as AddressInfo).port
const bytes = Buffer.concat([pdf(300), Buffer.alloc(9_000_000)])
const response = await fetch(`http://127.0.0.1:${port}/api/upload/single`, {
  method: 'POST',
  headers: { authorization: `Bearer ${member.token}` },
  body: fileForm('file', bytes, 'a.pdf', 'application/pdf'),
})
const { data } = (await response.json()) as { data: { file: { secureUrl: string } } }
const file = new URL(data.file.secureUrl).pathname
afterAll(async () => {
  await app.close()
  await server.close()
})

const head = (line: string, rest: string[] = []) =>
  `${[`${line} HTTP/1.1`, 'host: x', 'authorization: Bearer {token}', ...rest].join('\r\n')}\r\n\r\n`
const json = (length: number) => ['content-type: application/json', `content-length: ${length}`]
const CHUNKED = ['content-type: application/json', 'transfer-encoding: chunked']
const FORM = ['content-type: multipart/form-data; boundary=b', 'content-length: 500000']
const part = (field: string) =>
  `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.pdf"\r\n\r\n%PDF-1.7\n`
const body = JSON.stringify({ name: 'Hind' })

const REQUESTS: [string, string][] = [
  ['a partial tRPC body', `${head('POST /trpc/users.updateProfile', json(500))}{"name":"`],
  ['a missing tRPC body', head('POST /trpc/users.updateProfile', json(500))],
  ['a partial chunked tRPC body', `${head('POST /trpc/users.updateProfile', CHUNKED)}5\r\n{"nam`],
  ['a partial REST body', `${head('PUT /api/users/profile', json(500))}{"name":"`],
  ['a partial chunked REST body', `${head('PUT /api/users/profile', CHUNKED)}5\r\n{"nam`],
  ['an unanswered tRPC mutation', head('POST /trpc/users.updateProfile', json(body.length)) + body],
  ['an unanswered REST write', head('PUT /api/users/profile', json(body.length)) + body],
  ['a tRPC batch, unanswered', head('GET /trpc/users.dashboard,roles.list?batch=1')],
  ['a REST read, unanswered', head('GET /api/users/dashboard')],
  ['pipelined reads', head('GET /api/roles').repeat(4) + head('GET /trpc/roles.list').repeat(4)],
  ['an upload without a body', head('POST /api/upload/single', FORM)],
  ['a partial upload', head('POST /api/upload/single', FORM) + part('file')],
  ['a partial upload of several files', head('POST /api/upload/submission', FORM) + part('files')],
  ['a partial picture', head('POST /api/upload/profile', FORM) + part('profile')],
  ['a download', head('GET {file}')],
  ['a range of a download', head('GET {file}', ['range: bytes=100-8000000'])],
  ['the OpenAPI document', head('GET /api/openapi.json')],
]

/** Sends a request and disconnects at a moment, with RST or FIN. */
async function disconnect(request: string, moment: () => Promise<unknown>, how: 'reset' | 'end' | 'destroy') {
  const socket = net.connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request)
  await moment()
  if (how === 'reset') socket.resetAndDestroy()
  else if (how === 'end') socket.end(() => socket.destroy())
  else socket.destroy()
}

/** Disconnects while the password is verified, and lets the verification fail once the server has noticed. */
async function disconnectWhileVerifying(request: string) {
  const countConnections = promisify(app.server.getConnections.bind(app.server))
  const before = await countConnections()
  await disconnect(request, untilVerifying, 'reset')
  await until('the server notices', async () => (await countConnections()) <= before, 10_000)
  failVerifications()
}

/** A late warning has no event to wait for: silence is the behaviour under test. */
const waitForQuietLog = async () => {
  for (let seen = -1; seen !== lines.length; await sleep(300)) seen = lines.length
}

const warnings = () => lines.filter(({ level }) => level >= WARN)

it.each(REQUESTS)('logs no warning when the client disconnects: %s', async (_what, text) => {
  lines.length = 0
  const request = text.replaceAll('{token}', member.token).replaceAll('{file}', file)
  for (const after of [0, 2, 8, 32])
    await Promise.all((['reset', 'end', 'destroy'] as const).map((how) => disconnect(request, () => sleep(after), how)))
  await waitForQuietLog()
  expect(warnings()).toEqual([])
  expect(lines).toContainEqual(expect.objectContaining({ level: INFO, event: 'request.aborted' }))
})

describe('an error after the client disconnected', () => {
  const login = JSON.stringify({ email: 'admin@example.ma', password: 'Nobody-2026' })
  const calls = ['POST /api/auth/login', 'POST /trpc/auth.login'].map((line) => head(line, json(login.length)) + login)

  it.each(calls)('is not logged as unexpected when it is an abort', async (request) => {
    lines.length = 0
    failure = () => new DOMException('This operation was aborted', 'AbortError')
    await disconnectWhileVerifying(request)
    await waitForQuietLog()
    expect(warnings()).toEqual([])
  })
  it.each(calls)('is logged when it is a bug', async (request) => {
    lines.length = 0
    failure = () => new Error('a mistake of ours')
    await disconnectWhileVerifying(request)
    await waitForQuietLog()
    expect(warnings()).toMatchObject([{ msg: 'unexpected error' }])
  })
  it.each(calls)('is logged when the client is still connected', async (request) => {
    lines.length = 0
    failure = () => new DOMException('This operation was aborted', 'AbortError')
    const socket = net.connect(port, '127.0.0.1').resume()
    socket.write(request)
    await untilVerifying()
    failVerifications()
    await waitForQuietLog()
    socket.destroy()
    expect(warnings()).toMatchObject([{ msg: 'unexpected error' }])
  })
})
