import { contract, type Route, wordsOf } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, PASSWORD, type Person, type World } from './world.ts'

const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const routes: [name: string, route: Route][] = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls as Record<string, Route>).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
)
const of = (test: (route: Route) => boolean) => routes.filter(([, route]) => test(route))

const WORDS: Record<string, string> = { c: 'Design', d: 'Expert' }
const addressOf = ({ path }: Route, word = (name: string) => WORDS[name] ?? ID) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => word(name))

let world: World
let member: Person
let admin: Person
beforeAll(async () => {
  world = await openWorld()
  member = await world.member()
  admin = await world.admin()
})
afterAll(() => world.close())

interface Refused {
  success: boolean
  message: string
  code: string
  errors?: { path: string; msg: string }[]
}
const raw = async (method: string, url: string, headers: Record<string, string>, payload?: string | Buffer) => {
  const response = await world.app.inject({
    method: method as 'POST',
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json<Refused>(),
  }
}
const bearer = (who: Person) => ({ authorization: `Bearer ${who.token}` })

describe('access is decided before anything is parsed', () => {
  it.each(of((route) => route.access !== 'visitor'))('%s refuses visitors', async (name, route) => {
    const answer = await world.rest()(
      `${route.method} ${addressOf(route)}`,
      route.method === 'GET' ? undefined : { nonsense: 1 },
    )
    expect(answer).toMatchObject({ status: 401, body: { success: false, code: 'NOT_SIGNED_IN' } })
    const overTrpc = await world.trpc(null, name, { nonsense: 1 })
    expect(overTrpc).toMatchObject({ status: 401, failure: { code: 'NOT_SIGNED_IN' } })
  })
  it.each(of((route) => route.access === 'admin'))('%s refuses members', async (name, route) => {
    const answer = await world.rest(member)(
      `${route.method} ${addressOf(route)}`,
      route.method === 'GET' ? undefined : { nonsense: 1 },
    )
    expect(answer).toMatchObject({ status: 403, body: { success: false, code: 'ADMINS_ONLY' } })
    expect(await world.trpc(member, name, { nonsense: 1 })).toMatchObject({
      status: 403,
      failure: { code: 'ADMINS_ONLY' },
    })
  })
  it.each(of((route) => route.confirm && route.path.includes('settings')))(
    '%s asks for the password before any effect',
    async (_name, route) => {
      const send = (password?: string) =>
        world.rest(admin)(`${route.method} ${route.path}`, {
          enabled: false,
          ...(password !== undefined && { password }),
        })
      expect(await send()).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'password', msg: 'Password is required' }] },
      })
      expect(await send('  ')).toMatchObject({ status: 400 })
      expect(await send('Wrong-2026')).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD', invalid: true } })
      expect((await world.rest()('GET /settings')).body.data.settings.teamCreationEnabled).toBe(true)
    },
  )
  it('a token nobody knows is told, also where visitors may call', async () => {
    const stranger = { token: 'abcdefghijklmnopqrstuvwxyz234567abcdefgh' }
    expect((await world.rest(stranger)('GET /teams')).status).toBe(401)
    expect((await world.rest(stranger)('POST /auth/login', { email: 'a@b.ma', password: 'x' })).body.code).toBe(
      'WRONG_CREDENTIALS',
    )
  })
})

describe('bad input', () => {
  const writes = of((route) => route.method !== 'GET')
  const callerOf = (route: Route) => (route.access === 'admin' ? admin : route.access === 'member' ? member : null)

  it.each(writes.filter(([, route]) => route.input))('%s names every unknown field', async (_name, route) => {
    const answer = await world.rest(callerOf(route))(`${route.method} ${addressOf(route)}`, {
      role: 'admin',
      isBanned: false,
      points: 1000,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('VALIDATION')
    const paths = answer.body.errors?.map(({ path }) => path) ?? []
    const known = Object.keys(route.input?.shape ?? {})
    for (const field of ['role', 'isBanned', 'points'].filter((one) => !known.includes(one)))
      expect(paths).toContain(field)
    expect(answer.body.message).toBe(answer.body.errors?.map(({ msg }) => msg).join(', '))
  })

  it.each(writes)('%s takes JSON objects only', async (_name, route) => {
    const who = callerOf(route)
    const auth: Record<string, string> = who ? bearer(who) : {}
    const url = `/api${addressOf(route)}`
    const send = (type: string, payload: string) => raw(route.method, url, { ...auth, 'content-type': type }, payload)
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
        await raw(
          route.method,
          url,
          { ...auth, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
          '{}',
        )
      ).body.code,
    ).toBe('CROSS_SITE')
  })

  it.each(of((route) => wordsOf(route.path).length > 0))(
    '%s refuses words that are none of its own',
    async (_name, route) => {
      const who = callerOf(route)
      for (const word of ['nonsense', '0', "'%20or%201=1--", '%00', '..%2f..%2fetc']) {
        const { status, body } = await raw(route.method, `/api${addressOf(route, () => word)}`, who ? bearer(who) : {})
        expect([400, 404]).toContain(status)
        expect(body.success).toBe(false)
      }
    },
  )

  it('is told with its path over tRPC too', async () => {
    const { failure } = await world.trpc(member, 'teams.join', { id: 'x', name: '', phone: '1' })
    expect(failure.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['id', 'name', 'phone', 'experience', 'role']),
    )
  })
})

describe('the REST door', () => {
  it('answers unknown and malformed addresses in the envelope', async () => {
    for (const url of ['/api/nope', '/api/teams/x/y/z', '/nope'])
      expect(await raw('GET', url, {})).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } })
    expect(await raw('GET', '/api/teams/%E0%A4%A', {})).toMatchObject({ status: 400, body: { success: false } })
    expect(await raw('TRACE', '/api/teams', {}).catch(() => ({ status: 404 }))).toMatchObject({ status: 404 })
  })
  it('reads queries by their type', async () => {
    const list = (query: string) => world.rest()(`GET /teams?${query}`)
    expect((await list('page=1&limit=100&search=&unknown=1')).status).toBe(200)
    expect((await list('limit=101')).body.errors?.[0]?.path).toBe('limit')
    expect((await list('page=0&limit=abc')).body.errors?.map(({ path }) => path)).toEqual(['page', 'limit'])
    expect((await list('page=1&page=2')).status).toBe(400)
    expect((await list('sort=password')).status).toBe(400)
    await world.team(await world.member())
    const challenges = await world.rest(admin)('GET /admin/challenges?isActive=false')
    expect(challenges.body.data.challenges.every(({ isActive }: { isActive: boolean }) => !isActive)).toBe(true)
  })
  it('decodes the words of a path, and lets literal ones win', async () => {
    expect((await world.rest()('GET /challenges/category/AI%2FML')).status).toBe(200)
    expect((await world.rest()('GET /challenges/category/Web%20Development')).status).toBe(200)
    expect((await world.rest()('GET /teams/leaderboard')).body.data.leaderboard).toBeDefined()
    expect((await world.rest()('GET /challenges/active')).body.data.challenges).toBeDefined()
  })
  it('needs no body and no content type where no field is needed', async () => {
    const someone = await world.member()
    expect((await raw('POST', '/api/auth/logout', bearer(someone))).status).toBe(200)
    const another = await world.member()
    expect(
      (await raw('POST', '/api/auth/logout', { ...bearer(another), 'content-type': 'application/json' }, '')).status,
    ).toBe(200)
  })
  it('keeps answers out of caches and names requests itself', async () => {
    const { headers } = await raw('GET', '/api/teams', { 'x-request-id': 'forged' })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'")
    expect((await world.app.inject({ method: 'HEAD', url: '/api/teams' })).statusCode).toBe(200)
  })
})

describe('the tRPC door', () => {
  it('takes ten calls at once and no more', async () => {
    const batch = (count: number) =>
      world.app.inject({
        method: 'GET',
        url: `/trpc/${Array.from({ length: count }, () => 'roles.list').join(',')}?batch=1&input={}`,
      })
    expect((await batch(10)).statusCode).toBe(200)
    expect((await batch(11)).statusCode).toBe(400)
  })
  it('takes small JSON only', async () => {
    const send = (type: string, payload: string) =>
      world.app.inject({ method: 'POST', url: '/trpc/auth.login', headers: { 'content-type': type }, payload })
    expect((await send('application/json', JSON.stringify({ email: 'x'.repeat(70_000) }))).statusCode).toBe(413)
    expect((await send('text/plain', '{}')).statusCode).toBe(415)
    expect((await send('application/json', '{"broken')).statusCode).toBe(400)
    expect((await world.app.inject('/trpc/no.such')).statusCode).toBe(404)
  })
})

describe('what nobody expected', () => {
  it('is told without internals, and the server goes on', async () => {
    const broken = new Error('password=hunter2 at /srv/db.ts')
    const fragile = await openWorld(
      {},
      {
        passwords: {
          hash: () => Promise.reject(broken),
          verify: () => Promise.reject(broken),
          needsRehash: () => false,
        },
      },
    ).catch(() => null)
    // The world itself hashes a password when it opens: it must not matter here.
    if (!fragile) throw new Error('The world did not open')
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

describe('an Idempotency-Key', () => {
  const key = () => ({ 'idempotency-key': `key-${Math.random()}` })
  const form = async () =>
    (await import('./team-forms.ts')).createForm(
      (await (await import('./team-forms.ts')).rolesOf(world.db)).slice(0, 1),
    )

  it('makes one effect of many sendings, with one answer', async () => {
    const chef = await world.member()
    const [headers, body] = [key(), await form()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.rest(chef)('POST /teams', body, headers)))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(answers.every(({ status, body: { code } }) => status === 201 || code === 'IDEMPOTENCY_KEY_RUNNING')).toBe(
      true,
    )
    const again = await world.rest(chef)('POST /teams', body, headers)
    expect(again.body).toEqual(made[0]?.body)
    const { teams } = (await world.rest(chef)(`GET /users/${chef.id}/teams`)).body.data
    expect(teams).toHaveLength(1)
  })
  it('refuses another body and another call, and is its owner’s alone', async () => {
    const [chef, other] = [await world.member(), await world.member()]
    const headers = key()
    expect((await world.rest(chef)('POST /teams', await form(), headers)).status).toBe(201)
    expect((await world.rest(chef)('POST /teams', await form(), headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await world.rest(other)('POST /teams', await form(), headers)).status).toBe(201)
    expect((await world.rest(chef)('POST /teams', await form(), { 'idempotency-key': 'a b' })).body.code).toBe(
      'IDEMPOTENCY_KEY_INVALID',
    )
  })
  it('repeats a refusal too', async () => {
    const chef = await world.member()
    const body = await form()
    await world.rest(await world.member())('POST /teams', body)
    const headers = key()
    const first = await world.rest(chef)('POST /teams', body, headers)
    expect(first.body.code).toBe('DUPLICATE_NAME')
    expect((await world.rest(chef)('POST /teams', body, headers)).body).toEqual(first.body)
  })
})
