import cookies from '@fastify/cookie'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { bearerOf, languageOf, clientInfoOf } from './client-info.ts'

// Cast, because only these fields are read.
const request = (headers: Record<string, string | string[]>) =>
  ({ id: 'r1', ip: '10.0.0.1', headers }) as unknown as FastifyRequest
const noReply = { header: () => noReply } as unknown as FastifyReply

describe('languageOf', () => {
  it.each([
    ['ar-MA,fr;q=0.8', 'ar'],
    ['fr', 'fr'],
    ['de-DE, fr-CA;q=0.9', 'fr'],
    ['EN-gb', 'en'],
    ['de', 'en'],
    ['', 'en'],
    ['x'.repeat(100_000), 'en'],
  ])('%j is %s', (header, language) => expect(languageOf(header)).toBe(language))
  it('defaults to English', () => expect(languageOf(undefined)).toBe('en'))
})

describe('bearerOf', () => {
  const token = 'abcdefghijklmnopqrstuvwxyz234567abcdefgh'
  it.each([`Bearer ${token}`, `bearer ${token}`])('reads the token from %j', (authorization) =>
    expect(bearerOf(request({ authorization }))).toBe(token),
  )
  it.each([
    '',
    token,
    `Basic ${token}`,
    `Bearer  ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    'Bearer short',
    `Bearer ${'x'.repeat(201)}`,
  ])('returns null for %j', (authorization) => expect(bearerOf(request({ authorization }))).toBeNull())
})

describe('clientInfoOf', () => {
  it('truncates the user agent', () => {
    const info = clientInfoOf(request({ 'user-agent': 'x'.repeat(10_000) }), noReply)
    expect(info).toMatchObject({
      id: 'r1',
      ip: '10.0.0.1',
      userAgent: 'x'.repeat(300),
      idempotencyKey: undefined,
    })
  })
  it.each([
    ['plain', 'plain=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'],
    ['__Host-plain', '__Host-plain=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ])('clears %s with the attributes it was set with', async (name, cleared) => {
    const app = Fastify()
    await app.register(cookies)
    app.get('/', (request, reply) => {
      const { cookie, clearCookie } = clientInfoOf(request, reply)
      clearCookie(name)
      return reply.send(cookie(name))
    })
    const { headers, body } = await app.inject({ url: '/', headers: { cookie: `a${name}=2; ${name}=1` } })
    expect([headers['set-cookie'], body]).toEqual([cleared, '1'])
  })
})
