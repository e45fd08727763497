import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { contract, routesOf } from '@community/contract'
import { openTestServer, type TestUser } from './test-server.ts'

const server = await openTestServer()
const [member, admin] = [await server.createMember(), await server.createAdmin()]
const teamId = (await server.createTeam(member)).id
afterAll(() => server.close())

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

const get = (url: string, headers: Record<string, string> = {}, user?: TestUser, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { ...headers, ...(user && { authorization: `Bearer ${user.token}` }) } })

const cached = routesOf(contract).flatMap(([name, { cached: by, path }]): [string, string][] =>
  by ? [[name, `/api${path}${name === 'teams.pointsHistory' ? '?ids=' : ''}`]] : [],
)
const addressOf = (url: string) => url.replace(/ids=$/, `ids=${teamId}`).replace('{page}', 'privacy')

describe('a cached read', () => {
  it.each(cached)('%s answers 304 to its ETag, with the headers of the 200', async (_name, path) => {
    const url = addressOf(path)
    const full = await get(url)
    const { etag } = full.headers
    expect([full.statusCode, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)])
    for (const method of ['GET', 'HEAD'] as const)
      for (const named of [etag, `"other", ${etag}`, String(etag).replace('W/', ''), '*']) {
        const { statusCode, body, headers } = await get(url, { 'if-none-match': String(named) }, undefined, method)
        expect([statusCode, body]).toEqual([304, ''])
        for (const name of ['etag', 'vary', 'cache-control', 'access-control-allow-origin', 'ratelimit-policy'])
          expect([name, headers[name]]).toEqual([name, full.headers[name]])
        for (const name of ['content-encoding', 'content-type', 'content-security-policy'])
          expect(headers).not.toHaveProperty(name)
        expect(headers).toHaveProperty('x-content-type-options')
      }
    expect(full.headers['cache-control']).toBe('private, no-cache')
    expect(full.headers.vary).toBe('accept-encoding, authorization')
  })

  it('has one ETag for all content codings', async () => {
    const codings = ['identity', 'gzip', 'br']
    const tags = await Promise.all(
      codings.map(async (coding) => (await get('/api/roles', { 'accept-encoding': coding })).headers.etag),
    )
    expect(new Set(tags).size).toBe(1)
    for (const coding of codings) {
      const again = await get('/api/roles', { 'accept-encoding': coding, 'if-none-match': String(tags[0]) })
      expect(again.statusCode).toBe(304)
    }
  })

  it('keeps its ETag until a write changes its content', async () => {
    const { etag } = (await get('/api/teams')).headers
    await server.createMember()
    expect((await get('/api/teams', { 'if-none-match': String(etag) })).statusCode).toBe(304)
    await server.createTeam(await server.createMember())
    const changed = await get('/api/teams', { 'if-none-match': String(etag) })
    expect([changed.statusCode, changed.json().success]).toEqual([200, true])
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('keeps the ETag of challenges, whose cursor has an instant, until one of them closes', async () => {
    const open = await Promise.all([1, 2].map(() => server.createChallenge(admin)))
    const { etag } = (await get('/api/challenges?limit=1')).headers
    await server.createMember()
    expect((await get('/api/challenges?limit=1', { 'if-none-match': String(etag) })).statusCode).toBe(304)
    await server.clock.setAge('challenges', 'deadline', 1, { id: open[1]?.id ?? '' })
    await server.createMember()
    const closed = await get('/api/challenges?limit=1', { 'if-none-match': String(etag) })
    expect([closed.statusCode, closed.json().data.challenges[0].id]).toEqual([200, open[0]?.id])
  })

  it('has different ETags for audiences that see different data', async () => {
    const visitor = String((await get('/api/teams')).headers.etag)
    const own = await get('/api/teams', { 'if-none-match': visitor }, member)
    expect(own.statusCode).toBe(200)
    expect(own.headers['cache-control']).toBe('private, no-cache')
    expect((await get('/api/teams', { 'if-none-match': String(own.headers.etag) }, member)).statusCode).toBe(304)
    expect((await get('/api/teams', { 'if-none-match': String(own.headers.etag) })).statusCode).toBe(200)
  })

  it('checks the token and the input first', async () => {
    const { etag } = (await get('/api/teams', {}, admin)).headers
    const unknown = { 'if-none-match': String(etag), authorization: `Bearer ${'x'.repeat(40)}` }
    for (const [url, headers, status] of [
      ['/api/teams', unknown, 401],
      ['/api/teams?limit=0', { 'if-none-match': '*' }, 400],
    ] as const) {
      const { statusCode, headers: sent } = await get(url, headers)
      expect([statusCode, sent.etag, sent['cache-control']]).toEqual([status, undefined, 'no-store'])
    }
  })
})

describe('a read that is not cached', () => {
  it.each(['/api/users/profile', '/api/submissions/approved', '/api/admin/stats'])(
    '%s must not be stored',
    async (url) => {
      const { statusCode, headers } = await get(url, { 'if-none-match': '*' }, admin)
      expect([statusCode, headers.etag, headers['cache-control']]).toEqual([200, undefined, 'no-store'])
    },
  )
})

it('the OpenAPI document answers 304 to its ETag', async () => {
  const full = await get('/api/openapi.json')
  const { etag } = full.headers
  const again = await get('/api/openapi.json', { 'if-none-match': String(etag) })
  expect([full.statusCode, again.statusCode, again.body]).toEqual([200, 304, ''])
  expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, rawPayload } = await get('/api/openapi.json', { 'accept-encoding': coding })
    expect(headers).toMatchObject({
      etag,
      'content-encoding': coding,
      vary: expect.stringContaining('accept-encoding'),
    })
    expect(DECODERS[coding](rawPayload).equals(full.rawPayload)).toBe(true)
    expect(rawPayload.length).toBeLessThan(full.rawPayload.length / 10)
  }
})
