import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { bearerOf, languageOf, clientInfoOf } from './client-info.ts'

// The one cast: of a request only these are read.
const request = (headers: Record<string, string | string[]>) =>
  ({ id: 'r1', ip: '10.0.0.1', headers }) as unknown as FastifyRequest
const noReply = { header: () => noReply } as unknown as FastifyReply

describe('the language of an answer', () => {
  it.each([
    ['ar-MA,fr;q=0.8', 'ar'],
    ['fr', 'fr'],
    ['de-DE, fr-CA;q=0.9', 'fr'],
    ['EN-gb', 'en'],
    ['de', 'en'],
    ['', 'en'],
    ['x'.repeat(100_000), 'en'],
  ])('%j is %s', (header, language) => expect(languageOf(header)).toBe(language))
  it('is English where none is asked for', () => expect(languageOf(undefined)).toBe('en'))
})

describe('a bearer token', () => {
  const token = 'abcdefghijklmnopqrstuvwxyz234567abcdefgh'
  it.each([`Bearer ${token}`, `bearer ${token}`])('is read from %j', (authorization) =>
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
  ])('is not read from %j', (authorization) => expect(bearerOf(request({ authorization }))).toBeNull())
})

describe('what a use case may know', () => {
  it('is one value of a cookie, as it was set', () => {
    const { cookie } = clientInfoOf(request({ cookie: 'a=1; code = x=y ;codes=2; a=3' }), noReply)
    expect([cookie('a'), cookie('code'), cookie('codes'), cookie('b')]).toEqual(['1', 'x=y', '2', undefined])
    expect(clientInfoOf(request({}), noReply).cookie('a')).toBeUndefined()
  })
  it('is bounded', () => {
    const facts = clientInfoOf(request({ 'user-agent': 'x'.repeat(10_000) }), noReply)
    expect(facts).toMatchObject({
      id: 'r1',
      address: '10.0.0.1',
      userAgent: 'x'.repeat(300),
      idempotencyKey: undefined,
    })
  })
  it('takes a cookie away as it was given: a host’s own one only over a secure connection', () => {
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
