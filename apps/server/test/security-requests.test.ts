import { pathParametersOf } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { html, pdf } from './sample-files.ts'
import type { ProcedureName } from './permissions-outcomes.ts'
import { restTransport, tokenOf } from './permissions-transports.ts'
import { ROUTES, routeOf } from './permissions-routes.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { allowedCase, validInputAt } from './security-fields.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())

// Casts: names of the contract.
const names = [...ROUTES.keys()] as ProcedureName[]
const writes = names.filter((name) => routeOf(name).method !== 'GET')
const publicPaths = new Set(
  names.map(routeOf).flatMap(({ method, access, path }) => (method === 'GET' && access === 'visitor' ? [path] : [])),
)

/** A valid request for a procedure over both transports. */
function createRequests(name: ProcedureName) {
  const testCase = allowedCase(fixture, name)
  const { method, path } = routeOf(name)
  const input = validInputAt(name, testCase)
  const fields: Record<string, unknown> = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_all, word: string) => encodeURIComponent(String(fields[word])))
  for (const word of pathParametersOf(path)) delete fields[word]
  const caller = tokenOf(testCase)
  const headers = { ...(caller && { authorization: `Bearer ${caller.token}` }) }
  return {
    headers,
    requests: [
      { method, url: `/api${url}`, body: JSON.stringify(fields) },
      { method: 'POST' as const, url: `/trpc/${name}`, body: JSON.stringify(input) },
    ],
  }
}

const inject = (method: string, url: string, headers: Record<string, string>, payload?: string | Buffer) =>
  // Cast, because unknown methods are tested.
  fixture.server.app.inject({ method: method as 'POST', url, headers, ...(payload !== undefined && { payload }) })

/** Content types of simple cross-site requests, and some that only look like JSON. */
const TYPES = [
  'text/plain',
  'text/plain;application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json,text/plain',
  'application/jsonx',
  'application/json+x',
  'application/ld+json',
  'text/json',
  'application/xml',
  '*/*',
  '',
]

describe('a mutation', () => {
  it.each(writes)('is accepted only as same-site JSON: %s', async (name) => {
    const { headers, requests } = createRequests(name)
    for (const { method, url, body } of requests) {
      for (const type of TYPES) {
        const { statusCode } = await inject(method, url, { ...headers, 'content-type': type }, body)
        expect([url, type, statusCode]).toEqual([url, type, 415])
      }
      const json = { ...headers, 'content-type': 'application/json' }
      const crossSite = await inject(method, url, { ...json, 'sec-fetch-site': 'cross-site' }, body)
      expect([url, crossSite.statusCode, crossSite.json<{ code: string }>().code]).toEqual([url, 403, 'CROSS_SITE'])
      // Method overrides are not supported.
      for (const overrideHeader of ['x-http-method-override', 'x-method-override', 'x-http-method'])
        expect(
          (await inject('GET', `${url}?_method=${method}`, { ...headers, [overrideHeader]: method })).statusCode,
        ).not.toBe(201)
    }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it('succeeds when the same request is same-site JSON', async () => {
    let done = 0
    for (const name of writes) {
      const { headers, requests } = createRequests(name)
      const [rest] = requests
      const json = { ...headers, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
      if (rest && (await inject(rest.method, rest.url, json, rest.body)).statusCode < 300) done += 1
      await fixture.database.restore(await fixture.database.changedTables())
    }
    // An external sign-in also requires the browser's cookie.
    expect(done).toBeGreaterThanOrEqual(writes.length - 1)
  })

  it('that uploads a file is accepted only as a same-site form', async () => {
    const form = (bytes: Uint8Array) =>
      Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--b--\r\n'),
      ])
    const headers = { authorization: `Bearer ${fixture.callers.chef.token}` }
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const url of ['/api/upload/single', '/api/upload/profile', '/api/upload/submission']) {
      const away = { ...headers, ...type, 'sec-fetch-site': 'cross-site' }
      expect((await inject('POST', url, away, form(pdf()))).statusCode).toBe(403)
      for (const other of ['text/plain', 'application/json', 'application/x-www-form-urlencoded'])
        expect((await inject('POST', url, { ...headers, 'content-type': other }, form(html()))).statusCode).toBe(415)
    }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it('from a page of another origin is never allowed: the page reads only what visitors may, without a token', async () => {
    const origin = 'https://evil.example'
    for (const name of names) {
      const { requests, headers } = createRequests(name)
      for (const { url } of requests) {
        const asking = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        }
        const preflight = await inject('OPTIONS', url, asking)
        expect([url, preflight.headers]).toMatchObject([
          url,
          { 'access-control-allow-methods': 'GET, HEAD', 'access-control-allow-headers': 'If-None-Match' },
        ])
        const response = await inject('GET', url, { ...headers, origin })
        const isPublic = url.startsWith('/api') && publicPaths.has(routeOf(name).path)
        expect([url, response.headers['access-control-allow-origin']]).toEqual([url, isPublic ? '*' : undefined])
        for (const { headers: sent } of [preflight, response])
          expect(sent).not.toHaveProperty('access-control-allow-credentials')
      }
    }
  })
})

describe('a query string', () => {
  const reads = names.filter((name) => routeOf(name).method === 'GET' && routeOf(name).input)

  it.each(reads)('with duplicate parameters is rejected: %s', async (name) => {
    const { path, input } = routeOf(name)
    const { headers, requests } = createRequests(name)
    for (const key of Object.keys(input?.shape ?? {})) {
      if (pathParametersOf(path).includes(key)) continue
      const twice = await inject('GET', `${requests[0]?.url}?${key}=1&${key}=2`, headers)
      expect([key, twice.statusCode]).toEqual([key, 400])
      const inside = await inject('GET', `${requests[0]?.url}?${key}[a]=1&__proto__[a]=1&constructor=1`, headers)
      // The parameter may be required.
      expect([200, 400]).toContain(inside.statusCode)
    }
  })
})

describe('an HTTP method', () => {
  it('that a route does not have gets 405 and has no effect', async () => {
    const served = new Set(
      names.map((name) => `${routeOf(name).method} ${routeOf(name).path.replace(/\{\w+\}/g, '{}')}`),
    )
    for (const name of names) {
      const { path } = routeOf(name)
      const { headers, requests } = createRequests(name)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']) {
        if (served.has(`${method} ${path.replace(/\{\w+\}/g, '{}')}`)) continue
        // A static path may match a parameter of another route: `/teams/leaderboard` also matches `/teams/{id}`.
        const response = await inject(method, requests[0]?.url ?? '', { ...headers }).catch(() => null)
        if (response) expect([400, 401, 403, 404, 405]).toContain(response.statusCode)
        if (['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'].includes(method) && response)
          expect([method, path, response.statusCode]).toEqual([method, path, 405])
      }
      const wrongWay = routeOf(name).method === 'GET' ? 'POST' : 'GET'
      expect(
        (await inject(wrongWay, `/trpc/${name}`, { ...headers, 'content-type': 'application/json' })).statusCode,
      ).toBe(405)
      expect((await inject('TRACE', `/trpc/${name}`, headers).catch(() => ({ statusCode: 404 }))).statusCode).toBe(404)
    }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it('of a read changes nothing', async () => {
    for (const name of names.filter((item) => routeOf(item).method === 'GET')) {
      const testCase = allowedCase(fixture, name)
      expect((await restTransport(fixture.server)(tokenOf(testCase), name, validInputAt(name, testCase))).status).toBe(
        200,
      )
    }
    expect(await fixture.database.changedTables()).toEqual([])
  })
})
