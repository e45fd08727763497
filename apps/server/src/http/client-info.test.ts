import type { FastifyReply, FastifyRequest } from 'fastify'
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
  it('reads a cookie by its exact name', () => {
    const { cookie } = clientInfoOf(request({ cookie: 'a=1; code = x=y ;codes=2; a=3' }), noReply)
    expect([cookie('a'), cookie('code'), cookie('codes'), cookie('b')]).toEqual(['1', 'x=y', '2', undefined])
    expect(clientInfoOf(request({}), noReply).cookie('a')).toBeUndefined()
  })
  it('truncates the user agent', () => {
    const info = clientInfoOf(request({ 'user-agent': 'x'.repeat(10_000) }), noReply)
    expect(info).toMatchObject({
      id: 'r1',
      address: '10.0.0.1',
      userAgent: 'x'.repeat(300),
      idempotencyKey: undefined,
    })
  })
  it('clears a cookie with the attributes it was set with, Secure for __Host- names', () => {
    const sent: unknown[] = []
    const reply = { header: (_name: string, value: unknown) => void sent.push(value) } as unknown as FastifyReply
    const { dropCookie } = clientInfoOf(request({}), reply)
    dropCookie('plain')
    dropCookie('__Host-plain')
    expect(sent).toEqual([
      'plain=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      '__Host-plain=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
  })
})
