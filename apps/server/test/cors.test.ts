import { afterAll, describe, expect, it } from 'vitest'
import { contract, routesOf } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { openTestServer, type TestServer } from './test-server.ts'

const LISTED = 'https://app.example'
const OTHER = 'https://other.example'
const EXPOSED = 'Accept-Ranges, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

const [unset, listed, open] = await Promise.all([
  openTestServer(),
  openTestServer({ CORS_ORIGINS: `${LISTED}, http://localhost:5173` }),
  openTestServer({ CORS_ORIGINS: '*' }),
])
afterAll(() => Promise.all([unset.close(), listed.close(), open.close()]))

async function send(server: TestServer, line: string, origin: string | undefined, more: Record<string, string> = {}) {
  const [method, url] = line.split(' ')
  const headers = { ...(origin && { origin, 'sec-fetch-site': 'cross-site' }), ...more }
  // Cast, because methods are strings here.
  const response = await server.app.inject({ method: method as 'GET', url: url ?? '', headers })
  const cors = Object.fromEntries(
    Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-')),
  )
  return { status: response.statusCode, headers: response.headers, cors, body: response.body }
}
const preflight = (server: TestServer, url: string, origin: string, method: string) =>
  send(server, `OPTIONS ${url}`, origin, {
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization',
  })

const PUBLIC = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
const reads = routesOf(contract).flatMap(([name, { method, path, access }]): [string, string, string][] =>
  method === 'GET' ? [[name, access, `/api${path.replace(/\{\w+\}/g, 'x')}`]] : [],
)

describe('without CORS_ORIGINS', () => {
  it.each(reads)(
    'GET of %s (%s) may be read from other origins only if visitors may call it',
    async (_, access, url) => {
      for (const method of ['GET', 'HEAD']) {
        const { cors, headers } = await send(unset, `${method} ${url}`, OTHER)
        expect(cors).toEqual(access === 'visitor' ? PUBLIC : {})
        const policy = access === 'visitor' ? 'cross-origin' : 'same-origin'
        expect(headers['cross-origin-resource-policy']).toBe(policy)
      }
    },
  )
  it.each(['/api/openapi.json', '/api/health', '/api/health/live'])('%s may be read', async (url) => {
    const { status, cors, headers } = await send(unset, `GET ${url}`, OTHER)
    expect([status, cors, headers['cross-origin-resource-policy']]).toEqual([200, PUBLIC, 'cross-origin'])
  })
  it.each(['/trpc/roles.list', '/api/docs', '/api/auth/google', '/api/nope', '/nope', '/files/x/y'])(
    '%s may not be read',
    async (url) => {
      const { cors, headers } = await send(unset, `GET ${url}`, OTHER)
      expect([cors, headers['cross-origin-resource-policy']]).not.toContain('cross-origin')
      expect(cors).toEqual({})
    },
  )
  it('answers preflights with reading without a token only', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, cors, body } = await preflight(unset, '/api/teams', OTHER, method)
      expect([status, body]).toEqual([204, ''])
      expect(cors).toEqual({
        ...PUBLIC,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'If-None-Match',
        'access-control-max-age': '86400',
      })
    }
  })
  it('rejects cross-site writes', async () => {
    const { status, cors } = await send(unset, 'POST /api/auth/login', OTHER)
    expect([status, cors]).toEqual([403, {}])
  })
})

describe('with a list in CORS_ORIGINS', () => {
  const allowed = { 'access-control-allow-origin': LISTED, 'access-control-expose-headers': EXPOSED }

  it('answers preflights of listed origins for everything, for a day', async () => {
    for (const url of ['/api/teams', '/trpc/teams.create', '/api/upload/single', '/files/x/y']) {
      const { status, cors, headers } = await preflight(listed, url, LISTED, 'POST')
      expect([url, status]).toEqual([url, 204])
      expect(cors).toEqual({
        ...allowed,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-allow-headers':
          'If-None-Match, Authorization, Content-Type, Idempotency-Key, If-Range, Last-Event-ID, Range, Trpc-Accept, X-Proof-Of-Work',
        'access-control-max-age': '86400',
      })
      expect(headers.vary).toContain('Origin')
    }
  })
  it('treats other origins as without the setting', async () => {
    expect((await send(listed, 'GET /api/teams', OTHER)).cors).toEqual(PUBLIC)
    expect((await send(listed, 'GET /api/users/profile', OTHER)).cors).toEqual({})
    expect((await preflight(listed, '/api/teams', OTHER, 'POST')).cors['access-control-allow-methods']).toBe(
      'GET, HEAD',
    )
    expect((await send(listed, 'POST /api/auth/login', OTHER)).status).toBe(403)
    expect((await send(listed, 'GET /api/teams', 'https://app.example.evil.example')).cors).toEqual(PUBLIC)
    expect((await send(listed, 'GET /api/users/profile', 'null')).cors).toEqual({})
  })
  it('varies by origin where the response does, for every origin', async () => {
    for (const origin of [LISTED, OTHER, undefined])
      expect((await send(listed, 'GET /api/users/profile', origin)).headers.vary).toContain('Origin')
  })
  it('lets a listed origin sign in and act by token, and read failures', async () => {
    const { email } = await listed.createMember()
    const signIn = await listed.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { origin: LISTED, 'sec-fetch-site': 'cross-site' },
      payload: { email, password: PASSWORD },
    })
    expect([signIn.statusCode, signIn.headers['access-control-allow-origin']]).toEqual([200, LISTED])
    const { token } = signIn.json<{ data: { token: string } }>().data
    const authorization = `Bearer ${token}`
    const profile = await send(listed, 'GET /api/users/profile', LISTED, { authorization })
    expect([profile.status, profile.cors]).toEqual([200, allowed])
    const failure = await send(listed, 'GET /api/users/profile', LISTED)
    expect([failure.status, failure.cors]).toEqual([401, allowed])
    const missing = await send(listed, 'GET /api/nope', LISTED)
    expect([missing.status, missing.cors]).toEqual([404, allowed])
  })
  it('lets listed origins embed and read files', async () => {
    const { cors } = await send(listed, 'GET /files/x/y', LISTED)
    expect(cors).toEqual(allowed)
  })
  it('does not let listed origins read an external sign-in, which uses cookies', async () => {
    expect((await send(listed, 'GET /api/auth/google', LISTED)).cors).toEqual({})
  })
})

describe('with CORS_ORIGINS=*', () => {
  it('allows every origin, never with cookies', async () => {
    const { status, cors } = await preflight(open, '/api/teams', OTHER, 'DELETE')
    expect([status, cors['access-control-allow-origin']]).toEqual([204, '*'])
    expect(cors['access-control-allow-methods']).toContain('DELETE')
    expect(cors).not.toHaveProperty('access-control-allow-credentials')
    const write = await send(open, 'POST /api/teams', OTHER)
    expect([write.status, write.cors]).toEqual([401, PUBLIC])
  })
})
