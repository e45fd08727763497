import { cleanText, limits } from '@community/contract'
import { HOSTILE_TEXTS, PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { type Transport, restTransport, trpcTransport } from './permissions-transports.ts'
import { ROUTES, routeOf } from './permissions-routes.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { isWrite, LIST_FIELDS, nameOf, callWithValue, TEXT_FIELD_KINDS, TEXT_FIELDS } from './security-fields.ts'
import { openTestServer } from './test-server.ts'

const fixture = await openPermissionFixture()
const transports = [restTransport(fixture.server), trpcTransport(fixture.server)]
afterAll(() => fixture.close())

/** Whether cleaning leaves few characters. */
const isCleanedAway = (text: string) => cleanText(text).length < 10

describe('input limits', () => {
  it('cover every string by a maximum length, a pattern or choices', () => {
    const unbounded = TEXT_FIELDS.filter(
      ({ schema }) => schema.maxLength === undefined && schema.pattern === undefined && !schema.format,
    )
    // Compared with another field.
    expect(unbounded.map(nameOf)).toEqual(['auth.register confirmPassword', 'auth.resetPassword confirmPassword'])
  })

  it.each(LIST_FIELDS.map((field) => [nameOf(field), field] as const))(
    'cover the list %s by a maximum length',
    async (_name, field) => {
      const most = field.schema.maxItems ?? Number.POSITIVE_INFINITY
      expect(most).toBeLessThanOrEqual(50)
      const entries: Record<string, unknown> = {
        resources: { title: 'Guide', url: 'https://example.ma/' },
        rolesNeeded: { id: fixture.roleId },
      }
      const entry = entries[field.path.at(-1) ?? ''] ?? 'Words'
      for (const transport of transports)
        expect(
          await callWithValue(
            fixture,
            transport,
            field,
            Array.from({ length: most + 1 }, () => entry),
          ),
        ).toMatchObject({ status: 400, code: 'VALIDATION' })
      expect(await fixture.database.changedTables()).toEqual([])
    },
  )

  it('reject deeply nested input', async () => {
    const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000)
    const bodies = [
      deep('[', ']'),
      deep('{"a":', '1').slice(0, 50_000),
      `{"name":${deep('[', ']')}}`,
      `{"name":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`,
    ]
    for (const [name, { method, path, input }] of ROUTES) {
      // The input of procedures without fields is not parsed.
      if (method === 'GET' || !input) continue
      const headers = { authorization: `Bearer ${fixture.callers.admin.token}`, 'content-type': 'application/json' }
      const url = `/api${path.replace(/\{\w+\}/g, fixture.challenge.id)}`
      for (const payload of bodies)
        for (const [verb, address] of [
          [method, url],
          ['POST', `/trpc/${name}`],
        ] as const) {
          const { statusCode } = await fixture.server.app.inject({
            method: verb as 'POST',
            url: address,
            headers,
            payload,
          })
          expect([address, payload.slice(0, 9), statusCode]).toEqual([address, payload.slice(0, 9), 400])
        }
    }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it('reject a body above 64 KiB without parsing it', async () => {
    for (const [name, { method, path }] of ROUTES) {
      if (method === 'GET') continue
      const payload = JSON.stringify({ name: 'x'.repeat(1_000_000) })
      const url = `/api${path.replace(/\{\w+\}/g, fixture.challenge.id)}`
      for (const [verb, address] of [
        [method, url],
        ['POST', `/trpc/${name}`],
      ] as const) {
        const headers = { authorization: `Bearer ${fixture.callers.admin.token}`, 'content-type': 'application/json' }
        const { statusCode } = await fixture.server.app.inject({
          method: verb as 'POST',
          url: address,
          headers,
          payload,
        })
        expect([address, statusCode]).toEqual([address, 413])
      }
    }
    expect(limits.JSON_BODY_BYTES_MAX).toBe(65_536)
  })

  // The minimum rate of a body has tests of its own.
  it('allow half a minute for the headers and twenty minutes for the whole request', () => {
    const { headersTimeout, requestTimeout } = fixture.server.app.server
    expect([headersTimeout, requestTimeout]).toEqual([30_000, 1_200_000])
  })
})

describe('rejects long texts', () => {
  it.each(TEXT_FIELD_KINDS.map((field) => [nameOf(field), field] as const))('%s', async (_name, field) => {
    const [transport] = transports as [Transport]
    // Node limits URLs to 16 KiB.
    const cut = (text: string) => (isWrite(field) ? text : text.slice(0, 1300))
    for (const [what, text] of HOSTILE_TEXTS) {
      const { status } = await callWithValue(fixture, transport, field, cut(text))
      expect([what, status < 500]).toEqual([what, true])
      if (!isWrite(field)) continue
      // Blank texts and repeated combining marks are reduced to almost nothing, which may be valid.
      if (!isCleanedAway(text)) expect([what, status >= 400]).toEqual([what, true])
      else if (status < 300) await fixture.database.restore(await fixture.database.changedTables())
    }
  })
})

describe('a batch', () => {
  it('of a thousand sign-ins or of empty names does not hash a password', async () => {
    const real = createPasswordHasher()
    let hashes = 0
    const counted: typeof real = {
      ...real,
      verify: (...args) => {
        hashes += 1
        return real.verify(...args)
      },
    }
    const server = await openTestServer({}, { passwords: counted })
    const { email } = await server.createMember()
    const batch = (calls: string[]) =>
      server.app.inject({
        method: 'POST',
        url: `/trpc/${calls.join(',')}?batch=1`,
        payload: Object.fromEntries(calls.map((_call, index) => [index, { email, password: PASSWORD }])),
      })
    for (const calls of [1000, 11, 2].map((count) => Array<string>(count).fill('auth.login'))) {
      const { statusCode, body } = await batch(calls)
      expect(statusCode).toBe(400)
      expect(body).not.toContain('token')
    }
    expect((await batch(Array<string>(1000).fill(''))).statusCode).toBeLessThan(500)
    expect((await batch(Array<string>(9).fill(''))).statusCode).toBe(404)
    expect(hashes).toBe(0)
    expect((await batch(['auth.login'])).statusCode).toBe(200)
    expect(hashes).toBe(1)
    await server.close()
  })

  it('of unknown procedures gets a short error', async () => {
    const { statusCode, body } = await fixture.server.app.inject({
      url: `/trpc/${'x'.repeat(200)},${','.repeat(5)}?batch=1&input={}`,
    })
    expect(statusCode).toBe(404)
    expect(body.length).toBeLessThan(5000)
    expect(routeOf('auth.login').method).toBe('POST')
  })
})
