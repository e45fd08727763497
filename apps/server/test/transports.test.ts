import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { contract, type Route, routesOf, pathParametersOf } from '@community/contract'
import { PASSWORD, validInput } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { cheapPasswords } from './cheap-passwords.ts'
import { openTestServer, type TestUser } from './test-server.ts'

const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const routes = routesOf(contract)
const routesWhere = (test: (route: Route) => boolean) => routes.filter(([, route]) => test(route))

const PATH_VALUES: Record<string, string> = { c: 'Design', d: 'Expert' }
const pathOf = ({ path }: Route, word = (name: string) => PATH_VALUES[name] ?? ID) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => word(name))

const server = await openTestServer()
const member = await server.createMember()
const admin = await server.createAdmin()
afterAll(() => server.close())

interface Failure {
  success: boolean
  message: string
  code: string
  errors?: { path: string; msg: string }[]
}
const sendRaw = async (method: string, url: string, headers: Record<string, string>, payload?: string | Buffer) => {
  const response = await server.app.inject({
    method: method as 'POST',
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json<Failure>(),
  }
}
const bearer = (caller: TestUser) => ({ authorization: `Bearer ${caller.token}` })

describe('access is checked before the input is parsed', () => {
  it.each(routesWhere((route) => route.access !== 'visitor'))('%s rejects visitors', async (name, route) => {
    const response = await server.rest()(
      `${route.method} ${pathOf(route)}`,
      route.method === 'GET' ? undefined : { nonsense: 1 },
    )
    expect(response).toMatchObject({ status: 401, body: { success: false, code: 'NOT_SIGNED_IN' } })
    const overTrpc = await server.trpc(null, name, { nonsense: 1 })
    expect(overTrpc).toMatchObject({ status: 401, failure: { code: 'NOT_SIGNED_IN' } })
  })
  it.each(routesWhere((route) => route.access === 'admin'))('%s rejects members', async (name, route) => {
    const response = await server.rest(member)(
      `${route.method} ${pathOf(route)}`,
      route.method === 'GET' ? undefined : { nonsense: 1 },
    )
    expect(response).toMatchObject({ status: 403, body: { success: false, code: 'ADMINS_ONLY' } })
    expect(await server.trpc(member, name, { nonsense: 1 })).toMatchObject({
      status: 403,
      failure: { code: 'ADMINS_ONLY' },
    })
  })
  it.each(routesWhere((route) => route.requiresAdminPassword && route.path.includes('settings')))(
    '%s requires the password before any effect',
    async (_name, route) => {
      const send = (password?: string) =>
        server.rest(admin)(`${route.method} ${route.path}`, {
          enabled: false,
          ...(password !== undefined && { password }),
        })
      expect(await send()).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'password', msg: 'Password is required' }] },
      })
      expect(await send('  ')).toMatchObject({ status: 400 })
      expect(await send('Wrong-2026')).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD', invalid: true } })
      expect((await server.rest()('GET /settings')).body.data.settings.teamCreationEnabled).toBe(true)
    },
  )
  it('rejects an unknown token even where visitors have access', async () => {
    const stranger = { token: 'abcdefghijklmnopqrstuvwxyz234567abcdefgh' }
    expect((await server.rest(stranger)('GET /teams')).status).toBe(401)
    expect((await server.rest(stranger)('POST /auth/login', { email: 'a@b.ma', password: 'x' })).body.code).toBe(
      'WRONG_CREDENTIALS',
    )
  })
})

describe('invalid input', () => {
  const writes = routesWhere((route) => route.method !== 'GET')
  const callerOf = (route: Route) => (route.access === 'admin' ? admin : route.access === 'member' ? member : null)

  it.each(writes)('%s names every unknown field', async (_name, route) => {
    const response = await server.rest(callerOf(route))(`${route.method} ${pathOf(route)}`, {
      role: 'admin',
      isBanned: false,
      points: 1000,
    })
    expect(response.status).toBe(400)
    expect(response.body.code).toBe('VALIDATION')
    const paths = response.body.errors?.map(({ path }) => path) ?? []
    const known = Object.keys(route.input?.shape ?? {})
    for (const field of ['role', 'isBanned', 'points'].filter((name) => !known.includes(name)))
      expect(paths).toContain(field)
    expect(response.body.message).toBe(response.body.errors?.map(({ msg }) => msg).join(', '))
  })

  it('with thousands of unknown fields gets a short response', async () => {
    const fields = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`${'x'.repeat(5)}${at}`, 1]))
    const { status, body } = await server.rest()('POST /auth/send-otp', fields)
    expect(status).toBe(400)
    expect(JSON.stringify(body).length).toBeLessThan(5000)
  })

  it.each(writes)('%s rejects non-objects over tRPC', async (name, route) => {
    const caller = callerOf(route)
    const headers = { 'content-type': 'application/json', ...(caller && bearer(caller)) }
    for (const sent of ['null', '[]', '"text"', '1']) {
      const response = await server.app.inject({ method: 'POST', url: `/trpc/${name}`, headers, payload: sent })
      expect(response.statusCode).toBe(400)
      const { error } = response.json<{ error: { data: { failure: Failure } } }>()
      expect(error.data.failure.code).toBe('VALIDATION')
      expect(error.data.failure.errors).toContainEqual({ path: '', msg: 'Must be an object', code: 'INVALID_TYPE' })
    }
  })

  it.each(writes)('%s accepts JSON objects only', async (_name, route) => {
    const caller = callerOf(route)
    const auth: Record<string, string> = caller ? bearer(caller) : {}
    const url = `/api${pathOf(route)}`
    const send = (type: string, payload: string) =>
      sendRaw(route.method, url, { ...auth, 'content-type': type }, payload)
    expect(await send('application/json', '{"broken')).toMatchObject({ status: 400, body: { success: false } })
    for (const body of ['[1]', '"text"', 'null', '1']) expect((await send('application/json', body)).status).toBe(400)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=x',
    ])
      expect((await send(type, 'a=1')).status).toBe(415)
    expect((await send('application/json', JSON.stringify({ text: 'x'.repeat(70_000) }))).status).toBe(413)
    expect(
      (
        await sendRaw(
          route.method,
          url,
          { ...auth, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
          '{}',
        )
      ).body.code,
    ).toBe('CROSS_SITE')
  })

  it.each(routesWhere((route) => pathParametersOf(route.path).length > 0))(
    '%s rejects invalid path parameters',
    async (_name, route) => {
      const caller = callerOf(route)
      for (const word of ['nonsense', '0', "'%20or%201=1--", '%00', '..%2f..%2fetc']) {
        const { status, body } = await sendRaw(
          route.method,
          `/api${pathOf(route, () => word)}`,
          caller ? bearer(caller) : {},
        )
        expect([400, 404]).toContain(status)
        expect(body.success).toBe(false)
      }
    },
  )

  it('is reported with the paths of its fields over tRPC', async () => {
    const { failure } = await server.trpc(member, 'teams.join', { id: 'x', name: '', phone: '1' })
    expect(failure.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['id', 'name', 'phone', 'experience', 'role']),
    )
  })
})

describe('REST', () => {
  it('answers unknown and malformed URLs in the envelope', async () => {
    for (const url of ['/api/nope', '/api/teams/x/y/z', '/nope'])
      expect(await sendRaw('GET', url, {})).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } })
    expect(await sendRaw('GET', '/api/teams/%E0%A4%A', {})).toMatchObject({ status: 400, body: { success: false } })
    expect(await sendRaw('TRACE', '/api/teams', {}).catch(() => ({ status: 405 }))).toMatchObject({ status: 405 })
  })
  it('parses query parameters by their type', async () => {
    const list = (query: string) => server.rest()(`GET /teams?${query}`)
    expect((await list('page=1&limit=100&search=&unknown=1')).status).toBe(200)
    expect((await list('limit=101')).body.errors?.[0]?.path).toBe('limit')
    expect((await list('page=0&limit=abc')).body.errors?.map(({ path }) => path)).toEqual(['page', 'limit'])
    expect((await list('page=1&page=2')).status).toBe(400)
    expect((await list('sort=password')).status).toBe(400)
    const [on, off] = [await server.createChallenge(admin), await server.createChallenge(admin)]
    await server.sql`update challenges set is_active = false where id = ${off.id}`
    const idsOf = async (query: string) =>
      (await server.rest(admin)(`GET /admin/challenges?${query}`)).body.data.challenges.map(
        ({ id }: { id: string }) => id,
      )
    expect(await idsOf('isActive=false')).toEqual([off.id])
    expect(await idsOf('isActive=true')).toEqual([on.id])
    expect((await idsOf('isActive=')).toSorted()).toEqual([on.id, off.id].toSorted())
    const unclear = await server.rest(admin)('GET /admin/challenges?isActive=0')
    expect(unclear).toMatchObject({ status: 400, body: { errors: [{ path: 'isActive' }] } })
  })
  it.each([
    ['/teams?page=1&page=2', ['page']],
    ['/teams?limit=5&limit=&sort=name&sort=name', ['limit', 'sort']],
    [`/teams/${ID}/submissions?cursor=a&cursor=b`, ['cursor']],
    ['/events?topics=teams&topics=leaderboard', ['topics']],
  ])('%s names the parameters that were given twice', async (url, fields) => {
    const { body } = await sendRaw('GET', `/api${url}`, bearer(member))
    expect(body).toMatchObject({ code: 'VALIDATION' })
    expect(body.errors).toEqual(
      fields.map((field) => ({
        msg: `${field} can be given only once`,
        code: 'REPEATED',
        template: '{field} can be given only once',
        params: { field },
        path: field,
      })),
    )
  })

  it('reports a parameter that was given twice together with other errors', async () => {
    const { body } = await sendRaw('GET', '/api/teams?page=1&page=2&limit=0', {})
    expect(body.errors).toMatchObject([{ path: 'page' }, { path: 'limit' }])
  })

  it('decodes path parameters and prefers static routes', async () => {
    expect((await server.rest()('GET /challenges/category/AI%2FML')).status).toBe(200)
    expect((await server.rest()('GET /challenges/category/Web%20Development')).status).toBe(200)
    expect((await server.rest()('GET /teams/leaderboard')).body.data.leaderboard).toBeDefined()
    expect((await server.rest()('GET /challenges/active')).body.data.challenges).toBeDefined()
  })
  it('needs no body or content type for a procedure without fields', async () => {
    const someone = await server.createMember()
    expect((await sendRaw('POST', '/api/auth/logout', bearer(someone))).status).toBe(200)
    const another = await server.createMember()
    expect(
      (await sendRaw('POST', '/api/auth/logout', { ...bearer(another), 'content-type': 'application/json' }, ''))
        .status,
    ).toBe(200)
  })
  it('disables caching and ignores the client’s request id', async () => {
    const { headers } = await sendRaw('GET', '/api/health', { 'x-request-id': 'forged' })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'")
    expect((await server.app.inject({ method: 'HEAD', url: '/api/teams' })).statusCode).toBe(200)
  })
})

describe('a content type', () => {
  it.each([
    'application/json;',
    'application/json ; charset=utf-8',
    'Application/JSON',
    'application/json\t;',
    ' application/json',
    'application/json; charset=UTF-16',
  ])('%j is treated as JSON with all its checks', async (type) => {
    const send = (url: string) => sendRaw('POST', url, { 'content-type': type }, '{"email":["a@b.ma"],"role":"admin"}')
    for (const url of ['/api/auth/login', '/trpc/auth.login']) expect((await send(url)).status).toBe(400)
  })
  it.each([
    '',
    'application/jsonx',
    'application/json,text/plain',
    'application/json+x',
    'application/vnd.api+json',
    'text/json',
    'text/plain;application/json',
    'multipart/form-data; boundary=application/json',
    'application/octet-stream',
  ])('%j is rejected over both transports without an effect', async (type) => {
    const { email } = await server.createMember()
    const payload = JSON.stringify({ email, password: PASSWORD })
    for (const url of ['/api/auth/login', '/trpc/auth.login'])
      for (const body of [payload, 'x'.repeat(200_000)]) {
        const { status, body: rejected } = await sendRaw('POST', url, { 'content-type': type }, body)
        expect([413, 415]).toContain(status)
        expect(rejected.success).toBe(false)
      }
  })
  it('rejects prototype pollution', async () => {
    const { email } = await server.createMember()
    for (const field of ['__proto__', 'constructor'])
      for (const url of ['/api/auth/login', '/trpc/auth.login']) {
        const payload = `{"email":"${email}","password":"${PASSWORD}","${field}":{"prototype":{"role":"admin"}}}`
        expect((await sendRaw('POST', url, { 'content-type': 'application/json' }, payload)).status).toBe(400)
      }
  })
})

describe('every response', () => {
  it.each<[number, string, string, Record<string, string>?, string?]>([
    [200, 'GET', '/trpc/roles.list'],
    [400, 'GET', '/api/teams/%E0%A4%A'],
    [400, 'GET', '/%E0%A4%A'],
    [401, 'GET', '/api/users/profile'],
    [403, 'POST', '/trpc/auth.login', { 'sec-fetch-site': 'cross-site' }, '{}'],
    [404, 'GET', '/api/nope'],
    [404, 'GET', '/nope'],
    [405, 'DELETE', '/api/teams'],
    [405, 'GET', '/trpc/auth.login'],
    [413, 'POST', '/api/auth/login', {}, JSON.stringify({ email: 'x'.repeat(70_000) })],
    [413, 'POST', '/trpc/auth.login', {}, JSON.stringify({ email: 'x'.repeat(70_000) })],
    [415, 'POST', '/api/auth/login', { 'content-type': 'text/plain' }, 'x'],
    [415, 'POST', '/api/auth/login', { 'content-encoding': 'gzip' }, '{}'],
    [415, 'POST', '/trpc/auth.login', { 'content-type': 'multipart/form-data; boundary=x' }, 'x'],
  ])('%i %s %s: forbids caching, sniffing and cross-origin reads', async (status, method, url, headers, payload) => {
    const type: Record<string, string> = payload === undefined ? {} : { 'content-type': 'application/json' }
    const response = await sendRaw(method, url, { ...type, ...headers }, payload)
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
    expect(response.headers['x-powered-by']).toBeUndefined()
  })
  it('has a server-generated request id and a CSP', async () => {
    const { headers } = await sendRaw('GET', '/api/nope', { 'x-request-id': 'forged' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['permissions-policy']).toContain('camera=()')
  })
  it.each(routesWhere((route) => route.method === 'GET'))('%s supports HEAD', async (_name, route) => {
    const headers = route.access === 'visitor' ? {} : bearer(route.access === 'admin' ? admin : member)
    const url = `/api${pathOf(route)}`
    const [whole, head] = [
      await server.app.inject({ method: 'GET', url, headers }),
      await server.app.inject({ method: 'HEAD', url, headers }),
    ]
    expect([head.statusCode, head.body]).toEqual([whole.statusCode, ''])
    expect(head.headers['content-length']).toBe(whole.headers['content-length'])
  })
})

describe('over a TCP connection', () => {
  it('stops reading a body at 64 KiB, also without Content-Length', async () => {
    const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(origin)
    for (const path of ['/api/auth/login', '/trpc/auth.login', '/trpc/auth.login,auth.login?batch=1']) {
      const status = await new Promise<number>((resolve, reject) => {
        const request = httpRequest(
          { port, host: '127.0.0.1', path, method: 'POST', headers: { 'content-type': 'application/json' } },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          },
        )
        // Rejected while it is still being sent.
        request.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : reject(error)))
        request.write(`{"email":"${'x'.repeat(40_000)}`)
        request.write('x'.repeat(40_000))
        request.end('"}')
      })
      expect([path, status]).toEqual([path, 413])
    }
  })
})

describe('tRPC', () => {
  it('accepts batches of at most ten procedures', async () => {
    const batch = (count: number) =>
      server.app.inject({
        method: 'GET',
        url: `/trpc/${Array.from({ length: count }, () => 'roles.list').join(',')}?batch=1&input={}`,
      })
    expect((await batch(10)).statusCode).toBe(200)
    const tooMany = await batch(11)
    expect(tooMany.statusCode).toBe(400)
    expect(tooMany.body).not.toContain('Frontend')
  })
  it.each(['auth.login,auth.login', 'roles.create,auth.sendOtp', 'auth.verifyOtp,'.repeat(9) + 'auth.login'])(
    'rejects a sign-in or code in a batch: %s',
    async (names) => {
      const response = await server.app.inject({ method: 'POST', url: `/trpc/${names}?batch=1`, payload: {} })
      expect(response.statusCode).toBe(400)
      for (const { error } of response.json<{ error: { data: { failure: Failure } } }[]>())
        expect(error.data.failure).toMatchObject({ code: 'VALIDATION', message: 'The request is malformed' })
    },
  )
  it('rejects an Idempotency-Key on a batch, which would share it', async () => {
    const send = (names: string) =>
      server.app.inject({
        method: 'POST',
        url: `/trpc/${names}?batch=1`,
        headers: { ...bearer(admin), 'idempotency-key': randomUUID() },
        payload: { 0: validInput('roles.create'), 1: validInput('roles.create') },
      })
    expect((await send('roles.create,roles.create')).statusCode).toBe(400)
    expect((await send('roles.create')).statusCode).toBe(200)
  })
  it('accepts a batch of one sign-in, and the session list with other queries', async () => {
    const payload = { 0: { email: member.email, password: PASSWORD } }
    const signIn = await server.app.inject({ method: 'POST', url: '/trpc/auth.login?batch=1', payload })
    expect(signIn.statusCode).toBe(200)
    const url = `/trpc/auth.sessions,roles.list?batch=1&input=${encodeURIComponent('{"0":{}}')}`
    expect((await server.app.inject({ method: 'GET', url, headers: bearer(member) })).statusCode).toBe(200)
  })
  it('accepts small JSON only', async () => {
    const send = (type: string, payload: string) =>
      server.app.inject({ method: 'POST', url: '/trpc/auth.login', headers: { 'content-type': type }, payload })
    expect((await send('application/json', JSON.stringify({ email: 'x'.repeat(70_000) }))).statusCode).toBe(413)
    expect((await send('text/plain', '{}')).statusCode).toBe(415)
    expect((await send('application/json', '{"broken')).statusCode).toBe(400)
    expect((await server.app.inject('/trpc/no.such')).statusCode).toBe(404)
  })

  const optionalQueries = routesWhere(({ method, input }) => method === 'GET' && input?.safeParse({}).success === true)
  /** A response as JSON, without the time of the last request, which each request changes. */
  const withoutTimes = (data: unknown) => JSON.stringify(data).replace(/"lastSeenAt":"[^"]+"/g, '')

  // Tabs that are open over an upgrade send none to a query that had none in their release, as `webhooks.list` in 0.3.0.
  it.each(optionalQueries)('%s without input gets the response to an empty input', async (name) => {
    const [missing, empty] = [await server.trpc(admin, name), await server.trpc(admin, name, {})]
    expect([missing.status, withoutTimes(missing.data)]).toEqual([200, withoutTimes(empty.data)])
  })

  it('compares the queries that got an input since the last release', () =>
    expect(optionalQueries.map(([name]) => name)).toContain('webhooks.list'))

  it('gives a mutation without a body the response to an empty one', async () => {
    const headers = { ...bearer(admin), 'content-type': 'application/json' }
    const { status, body } = await sendRaw('POST', '/trpc/notifications.setPreferences', headers)
    const empty = await server.trpc(admin, 'notifications.setPreferences', {})
    expect([status, body]).toMatchObject([200, { result: { data: empty.data } }])
  })
})

describe('an unexpected error', () => {
  it('reveals no internals and does not stop the server', async () => {
    const broken = new Error('password=hunter2 at /srv/db.ts')
    const passwords = { ...cheapPasswords, verify: () => Promise.reject(broken) }
    const fragile = await openTestServer({}, { passwords })
    const response = await fragile.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'a@b.ma', password: PASSWORD },
    })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      success: false,
      code: 'INTERNAL',
      message: 'Something went wrong. Please try again.',
      requestId: response.headers['x-request-id'],
    })
    const overTrpc = await fragile.app.inject({
      method: 'POST',
      url: '/trpc/auth.login',
      payload: { email: 'a@b.ma', password: PASSWORD },
    })
    expect(overTrpc.body).not.toMatch(/hunter2|stack|\.ts/)
    expect((await fragile.rest()('GET /health')).status).toBe(200)
    await fragile.close()
  })
})
