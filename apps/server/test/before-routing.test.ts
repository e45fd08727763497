import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { checkResponse } from './response-checker.ts'
import { openTestServer } from './test-server.ts'

const server = await openTestServer({ APP_URL: 'https://community.example' })
await server.app.listen({ port: 0, host: '127.0.0.1' })
const port = (server.app.server.address() as AddressInfo).port
afterAll(() => server.close())

const SECURITY_HEADER = /^(content-security-policy|strict-transport|x-|referrer|permissions|cross-origin|origin-agent)/
const securityHeadersOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => SECURITY_HEADER.test(name) && name !== 'x-request-id'))

/** Sends raw bytes and parses the first response. */
async function send(bytes: string) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(line.split(' ')[1]), headers, body }
}
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`
/** The security headers of a normal response, which all others must have. */
const baseline = securityHeadersOf(
  (await send('GET /trpc/roles.list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).headers,
)

describe('a normal response', () => {
  it('has the security headers that other responses are compared with', () =>
    expect(baseline).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
    }))
})

describe('requests rejected before routing', () => {
  it.each([
    ['a URL that cannot be decoded', get('/%E0%A4%A'), 400, 'VALIDATION'],
    ['such a URL under /api', get('/api/%zz'), 400, 'VALIDATION'],
    ['such a URL under /trpc', get('/trpc/%zz'), 400, 'VALIDATION'],
    ['such a URL under /files', get('/files/%zz'), 400, 'VALIDATION'],
    ['an overlong path segment', get(`/api/teams/${'x'.repeat(400)}`), 400, 'VALIDATION'],
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400, 'VALIDATION'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\r\n\r\n', 400, 'VALIDATION'],
    ['an unknown method', `BREW${get('/api/teams').slice(3)}`, 400, 'VALIDATION'],
    ['two Content-Length headers', get('/api/teams', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400, 'VALIDATION'],
    [
      'Content-Length with chunked encoding',
      get('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
      400,
      'VALIDATION',
    ],
    ['overlong headers', get('/api/teams', `X-Long: ${'x'.repeat(20_000)}\r\n`), 413, 'TOO_LARGE'],
    ['a missing Host header', 'GET /trpc/roles.list HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    ['an unknown path', get('/nope'), 404, 'NOT_FOUND'],
    ['an unsupported HTTP method', `PROPFIND${get('/api/teams').slice(3)}`, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s', async (_what, bytes, status, code) => {
    const response = await send(bytes)
    expect([response.status, JSON.parse(response.body)]).toMatchObject([status, { success: false, code }])
    expect(response.body).not.toMatch(/FST_|HPE_|Parse|statusCode/)
    expect(securityHeadersOf(response.headers)).toEqual(baseline)
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(response.body)),
      connection: 'close',
    })
  })

  it.each(['/health', '/health/live', '/auth/google'])('a request to %s without Host, as documented', async (path) => {
    const { status, body } = await send(`GET /api${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    expect(status).toBe(400)
    checkResponse('GET', path, status, JSON.parse(body))
  })

  it('ignores an unknown Expect header', async () => {
    const { status, body } = await send(get('/api/health/live', 'Expect: a-miracle\r\n'))
    expect([status, JSON.parse(body).success]).toEqual([200, true])
  })
})

describe('while the server stops', () => {
  it('answers 503 with Retry-After on an open connection', async () => {
    const stopping = await openTestServer({ APP_URL: 'https://community.example' })
    await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const accepted = once(stopping.app.server, 'connection') as Promise<[Socket]>
    const socket = connect((stopping.app.server.address() as AddressInfo).port, '127.0.0.1')
    const [accepting] = await accepted
    // An incomplete request keeps the connection from being idle.
    socket.write('GET /api/teams HTTP/1.1\r\nHost: x\r\n')
    await expect.poll(() => accepting.bytesRead).toBeGreaterThan(0)
    const closed = stopping.app.close()
    socket.write('\r\n')
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 /)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/im)
    expect(head).toMatch(/^retry-after: 2$/im)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'UNAVAILABLE', cooldown: 2 })
    await closed
    await stopping.close()
  })
})

describe('a connection', () => {
  const rolesRequest = 'GET /api/roles HTTP/1.1\r\nHost: x\r\n\r\n'

  it('is closed when it has more than 8 requests in flight, and an aborted pipeline does not affect other clients', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const login = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 46\r\n\r\n{"email":"a@example.ma","password":"Nobody-1"}`
    let received = ''
    socket.setEncoding('utf8').on('data', (part: string) => (received += part))
    socket.write(rolesRequest.repeat(8))
    await expect.poll(() => received.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(Array<string>(8).fill('200'))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(rolesRequest.repeat(400))
    await closed

    for (let n = 0; n < 20; n++) {
      const hostile = connect(port, '127.0.0.1').on('error', () => {})
      await once(hostile, 'connect')
      await new Promise((resolve) => hostile.write(login + rolesRequest.repeat(400), resolve))
      hostile.resetAndDestroy()
    }
    for (let n = 0; n < 40; n++) expect((await send(get('/api/roles'))).status).toBe(200)
  })

  it('stops being parsed, however many requests wait behind an open stream', async () => {
    let parsed = 0
    server.app.server.on('request', () => parsed++)
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (let packet = 0; packet < 25 && !socket.destroyed; packet++) {
      socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(1000))
      await setImmediate()
    }
    await closed
    expect(parsed).toBeGreaterThan(8)
    expect(parsed).toBeLessThan(10_000)
    expect((await send(get('/api/roles'))).status).toBe(200)
  })
})
