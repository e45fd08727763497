import { contract, route, type Route, routesOf } from '@community/contract'
import { PASSWORD } from '@community/testing'
import type { FastifyRequest } from 'fastify'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RestResponse, openTestServer, type TestUser, type TestServer } from '../../test/test-server.ts'
import type { Caller, Context } from '../context.ts'
import { createProcedures } from './procedures.ts'
import { createRouter } from './init.ts'

const Output = z.object({ name: z.string() })
const routeOptions = { access: 'visitor', summary: '…', output: Output } as const
const testContract = {
  of: {
    role: route('GET /role', { ...routeOptions, cached: 'by role' }),
    visitors: route('GET /visitors', { ...routeOptions, cached: 'for visitors' }),
    each: route('GET /each', routeOptions),
  },
}
const callerName = async ({ user }: Context) => ({ name: user?.name ?? 'nobody' })

describe('the cache key', () => {
  const caller = (name: string, role: Caller['role']): Caller => ({ id: name, name, email: name, role, familyId: name })
  const [sara, omar, lalla] = [caller('Sara', 'member'), caller('Omar', 'member'), caller('Lalla', 'admin')]

  /** The cache key of each user's query; null when it is not cached. */
  async function cacheKeysOf(procedure: string, ...users: (Caller | null)[]): Promise<(string | null)[]> {
    const keys: (string | null)[] = []
    const router = createRouter(testContract, { of: { role: callerName, visitors: callerName, each: callerName } })
    for (const user of users) {
      let cacheKey: string | null = null
      const procedures = createProcedures(testContract, router, (key, create) => {
        cacheKey = key
        return create()
      })
      const ctx = { deps: {}, user, tokenError: null } as Context
      const request = { signal: new AbortController().signal } as FastifyRequest
      const call = { path: `of.${procedure}`, input: undefined, ctx, request }
      const { bytes } = await procedures.queryBody(call, { variant: 'test', wrap: (data) => data, coding: undefined })
      expect(bytes.toString()).toBe(JSON.stringify({ name: user?.name ?? 'nobody' }))
      keys.push(cacheKey)
    }
    return keys
  }

  it('is shared by the users of a role only', async () => {
    const [first, second, admin, visitor] = await cacheKeysOf('role', sara, omar, lalla, null)
    expect(first).toBe(second)
    expect(new Set([first, admin, visitor]).size).toBe(3)
    expect([first, admin, visitor]).not.toContain(null)
  })

  it('is for visitors only when the route is cached for visitors', async () =>
    expect(await cacheKeysOf('visitors', sara, lalla, null)).toEqual([null, null, expect.any(String)]))

  it('is absent when the contract does not cache the route', async () =>
    expect(await cacheKeysOf('each', sara, lalla, null)).toEqual([null, null, null]))
})

describe('responses of queries', () => {
  let server: TestServer
  let audiences: Record<'visitor' | 'chef' | 'member' | 'admin' | 'admin2', TestUser | null>
  let inputs: Record<string, Record<string, string | string[]>>
  async function post(person: TestUser, path: string, body: object): Promise<RestResponse['body']['data']> {
    const response = await server.rest(person)(`POST ${path}`, body)
    if (!response.body.success) throw new Error(`${path}: ${response.status} ${response.body.message}`)
    return response.body.data
  }
  beforeAll(async () => {
    server = await openTestServer()
    const [chef, member, admin, admin2] = [
      await server.createMember('Chef'),
      await server.createMember('Member'),
      await server.createAdmin(),
      await server.createAdmin(),
    ]
    audiences = { visitor: null, chef, member, admin, admin2 }
    const [team, closed] = [await server.createTeam(chef), await server.createTeam(chef)]
    const [open, inactive] = [await server.createChallenge(admin), await server.createChallenge(admin)]
    for (const [challenge, verdict] of [
      [open, { status: 'approved', score: 90, feedback: 'Well done' }],
      [inactive, { status: 'rejected', feedback: 'Not yet' }],
    ] as const) {
      const work = { type: 'link', content: 'https://example.ma/work', applicationNotes: 'For the chef’s eyes' }
      const { submission } = await post(chef, `/challenges/${challenge.id}/apply`, { teamId: team.id, ...work })
      await post(admin, `/submissions/${submission.id}/evaluate`, verdict)
    }
    await post(admin, `/admin/teams/${closed.id}/deactivate`, {})
    await post(admin, `/admin/challenges/${inactive.id}/deactivate`, { password: PASSWORD })
    inputs = {
      'teams.list': { includeInactive: 'true', search: 'a' },
      'teams.pointsHistory': { ids: [team.id] },
      'system.page': { page: 'privacy', language: 'fr' },
    }
  })
  afterAll(() => server.close())

  const cachedRoutes = routesOf(contract).filter(([, route]) => route.cached)
  function urlOf(name: string, path: string): string {
    const query = new URLSearchParams()
    let filledPath = path
    for (const [key, value] of Object.entries(inputs[name] ?? {}))
      if (path.includes(`{${key}}`)) filledPath = filledPath.replace(`{${key}}`, String(value))
      else for (const item of [value].flat()) query.append(key, item)
    return `${filledPath}?${query.toString()}`
  }
  /** Reads after a write, which clears the cache. */
  async function readUncached(person: TestUser | null, name: string, { path }: Route): Promise<unknown> {
    await server.sql`update settings set team_creation_enabled = team_creation_enabled`
    return read(person, urlOf(name, path))
  }
  async function read(person: TestUser | null, url: string): Promise<unknown> {
    const { status, body } = await server.rest(person)(`GET ${url}`)
    expect([url, status]).toEqual([url, 200])
    return body.data
  }

  it.each(cachedRoutes)('%s: equals the uncached response for every audience', async (name, cachedRoute) => {
    const uncached = new Map<string, unknown>()
    for (const [audience, person] of Object.entries(audiences))
      uncached.set(audience, await readUncached(person, name, cachedRoute))
    const url = urlOf(name, cachedRoute.path)
    const order = Object.entries(audiences)
    for (const [audience, person] of [...order, ...order.toReversed(), ...order])
      expect([audience, await read(person, url)]).toEqual([audience, uncached.get(audience)])
  })

  it.each(cachedRoutes.filter(([, { cached: by }]) => by === 'by role'))(
    '%s: is equal for users of the same role',
    async (name, cachedRoute) => {
      const { chef, member, admin, admin2 } = audiences
      for (const [first, second] of [
        [chef, member],
        [admin, admin2],
      ] as const)
        expect(await readUncached(first, name, cachedRoute)).toEqual(await readUncached(second, name, cachedRoute))
    },
  )

  const get = (url: string, person: TestUser | null, headers: Record<string, string>) =>
    server.app.inject({ url, headers: { ...headers, ...(person && { authorization: `Bearer ${person.token}` }) } })

  it.each(['br', 'gzip'])(
    'from the cache are compressed by %s over both transports, single and in a batch',
    async (coding) => {
      const decode = coding === 'br' ? brotliDecompressSync : gunzipSync
      for (const url of [
        '/api/roles',
        '/trpc/roles.list',
        '/trpc/roles.list,teams.leaderboard?batch=1&input={"1":{}}',
      ]) {
        const plain = await get(url, null, {})
        expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
        expect(plain.headers.vary).toContain('accept-encoding')
        for (const request of ['first', 'cached']) {
          const compressed = await get(url, null, { 'accept-encoding': `${coding}, identity;q=0.5` })
          expect([request, compressed.headers['content-encoding']]).toEqual([request, coding])
          expect(decode(compressed.rawPayload).equals(plain.rawPayload)).toBe(true)
        }
      }
    },
  )

  it('from the cache change when the data change, also when compressed', async () => {
    const names = async () => {
      const { rawPayload } = await get('/api/teams?limit=100', null, { 'accept-encoding': 'br' })
      return brotliDecompressSync(rawPayload).toString()
    }
    expect(await names()).not.toContain('Late Comers')
    await server.createTeam(await server.createMember(), { name: 'Late Comers' })
    expect(await names()).toContain('Late Comers')
  })

  it('that are not cached are compressed for visitors from 1 KiB on', async () => {
    const chef = await server.createMember()
    const { id } = await server.createTeam(chef)
    const challenge = await server.createChallenge(await server.createAdmin(), {
      description: 'Show the next buses. '.repeat(100),
    })
    for (const url of [`/api/challenges/${challenge.id}`, `/trpc/challenges.get?input={"id":"${challenge.id}"}`]) {
      const plain = await get(url, null, {})
      const compressed = await get(url, null, { 'accept-encoding': 'br, gzip' })
      expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'br'])
      expect(brotliDecompressSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true)
      for (const { headers } of [plain, compressed]) expect(headers.vary).toContain('accept-encoding')
      const own = await get(url, chef, { 'accept-encoding': 'br, gzip' })
      expect(own.headers['content-encoding']).toBeUndefined()
    }
    const small = await get(`/api/teams/${id}`, null, { 'accept-encoding': 'br' })
    expect([small.statusCode, small.headers['content-encoding'], small.rawPayload.length < 1024]).toEqual([
      200,
      undefined,
      true,
    ])
  })

  it('are compressed for signed-in users only if cached, because lengths would reveal secrets', async () => {
    const accepting = { 'accept-encoding': 'br' }
    const { member, admin } = audiences
    const codingOf = async (url: string, person: TestUser | null) =>
      (await get(url, person, accepting)).headers['content-encoding']
    expect(await codingOf('/trpc/users.profile', member)).toBeUndefined()
    expect(await codingOf('/api/users/profile', member)).toBeUndefined()
    expect(await codingOf('/trpc/roles.list,users.profile?batch=1', member)).toBeUndefined()
    expect(await codingOf('/api/admin/stats', admin)).toBeUndefined()
    expect(await codingOf('/api/teams', member)).toBe('br')
    expect(await codingOf('/trpc/roles.list', member)).toBe('br')
    expect(await codingOf('/trpc/users.profile', null)).toBeUndefined()
  })

  it('from the cache are not served to a revoked token', async () => {
    const signedOut = await server.createMember()
    const url = urlOf('teams.list', '/teams')
    await read(signedOut, url)
    await server.rest(signedOut)('POST /auth/logout', { refreshToken: signedOut.refreshToken })
    await read(audiences.member, url)
    expect((await server.rest(signedOut)(`GET ${url}`)).status).toBe(401)
  })
})
