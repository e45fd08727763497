import { type ErrorDefinition, appErrors } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { AppError } from '../src/errors.ts'
import { toFailure } from '../src/http/failure.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'
import { openTestServer } from './test-server.ts'

const temporaryErrors = Object.entries(appErrors).filter(
  (entry): entry is [string, ErrorDefinition] => typeof entry[1] === 'object' && [429, 503].includes(entry[1].status),
)

/** Thrown by the password hasher, to produce any error over both transports. */
let thrown = new Error('nothing yet')
const passwords = createPasswordHasher()
const server = await openTestServer({}, { passwords: { ...passwords, verify: () => Promise.reject(thrown) } })
afterAll(() => server.close())

const sent = { email: 'nour@example.ma', password: PASSWORD }
const overBothTransports = async () => {
  const rest = await server.app.inject({ method: 'POST', url: '/api/auth/login', payload: sent })
  const trpc = await server.app.inject({ method: 'POST', url: '/trpc/auth.login', payload: sent })
  return [
    { status: rest.statusCode, header: rest.headers['retry-after'], body: rest.json() },
    { status: trpc.statusCode, header: trpc.headers['retry-after'], body: trpc.json().error.data.failure },
  ]
}

describe('Retry-After on temporary errors', () => {
  it('covers at least seven errors', () => expect(temporaryErrors.length).toBeGreaterThanOrEqual(7))

  it.each(temporaryErrors)('%s: in the header and the body, over both transports', async (_name, error) => {
    for (const [flags, seconds] of [
      [{ cooldown: 123 }, 123],
      [{}, 2],
    ] as const) {
      thrown = new AppError(error, flags)
      for (const { status, header, body } of await overBothTransports()) {
        expect(status).toBe(error.status)
        expect(body).toMatchObject({ success: false, code: error.code, cooldown: seconds })
        expect(String(header)).toBe(String(seconds))
      }
    }
  })

  it.each([408, 429, 503])('when the framework answers %i', (statusCode) => {
    const { status, body } = toFailure({ statusCode })
    expect([429, 503]).toContain(status)
    expect(body.cooldown).toBeGreaterThan(0)
  })

  it('when the database is unavailable', async () => {
    thrown = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    for (const { status, header, body } of await overBothTransports()) {
      expect(status).toBe(503)
      expect(String(header)).toBe(String(body.cooldown))
    }
  })

  it.each(['40001', '40P01'])('when transactions keep conflicting (%s)', async (code) => {
    thrown = Object.assign(new Error('conflict'), { code })
    for (const { status, header, body } of await overBothTransports()) {
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
      expect(String(header)).toBe(String(body.cooldown))
    }
  })

  it('is absent from other errors', async () => {
    thrown = new AppError(appErrors.wrongCredentials)
    for (const { status, header, body } of await overBothTransports()) {
      expect([status, header, body.cooldown]).toEqual([401, undefined, undefined])
    }
  })

  it('is documented for every such response', () => {
    const { paths } = openApiDocument(DOCUMENT_SETTINGS) as {
      paths: Record<string, Record<string, { responses?: Record<string, object> }>>
    }
    const replies = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses = {} }) => [responses[429], responses[503]].filter((response) => response !== undefined))
    expect(replies.length).toBeGreaterThan(50)
    for (const response of replies)
      expect(response).toMatchObject({ headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } })
  })

  it('is the longest wait when every procedure of a batch fails temporarily', async () => {
    const waits = [7, 90]
    const { verify } = server.deps.passwords
    server.deps.passwords.verify = () =>
      Promise.reject(new AppError(appErrors.unavailable, { cooldown: waits.shift() ?? 1 }))
    const { token } = await server.createAdmin()
    const payload = { 0: { password: PASSWORD }, 1: { password: PASSWORD } }
    const headers = { authorization: `Bearer ${token}` }
    const batch = (names: string) =>
      server.app.inject({ method: 'POST', url: `/trpc/${names}?batch=1`, headers, payload })
    const all = await batch('admin.verifyPassword,admin.verifyPassword')
    expect([all.statusCode, all.headers['retry-after']]).toEqual([503, '90'])
    const some = await batch('admin.verifyPassword,roles.create')
    expect(some.headers['retry-after']).toBeUndefined()
    server.deps.passwords.verify = verify
  })
})
