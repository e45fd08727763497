import { createServer, type Server } from 'node:http'
import { listenLocally } from '@community/testing'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIdentityProvider, type PendingSignIn } from './identity-provider.ts'

/** A provider that signs the claims of the test. */
let server: Server
let issuer: string
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let idToken: string
let tokenRequests: { authorization: string | undefined; form: URLSearchParams }[] = []
let discoveryStatus = 200
let isSilent = false

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }
  server = createServer((request, response) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration')
      return send(discoveryStatus, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      })
    if (request.url === '/keys') return send(200, { keys: [jwk] })
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (isSilent) return
      tokenRequests.push({ authorization: request.headers.authorization, form: new URLSearchParams(body) })
      send(200, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken })
    })
  })
  issuer = `http://127.0.0.1:${await listenLocally(server)}`
})
beforeEach(() => {
  tokenRequests = []
  discoveryStatus = 200
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const createProvider = () =>
  createIdentityProvider({ issuer, clientId: 'community', clientSecret: 'secret' }, 'https://community.example')

const sign = (claims: JWTPayload, key: Parameters<SignJWT['sign']>[0] = keys.privateKey, alg = 'RS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(key)

const validClaims = (pending: PendingSignIn): JWTPayload => {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    aud: 'community',
    sub: '42',
    iat: now,
    exp: now + 60,
    nonce: pending.nonce,
    email: 'sara@example.ma',
    email_verified: true,
    name: 'Sara',
  }
}
const callback = (state: string, iss?: string) => ({ code: 'the-code', state, iss })

describe('a sign-in through a provider', () => {
  it('uses PKCE and returns the identity', async () => {
    const provider = createProvider()
    const { url, pending } = await provider.begin()
    expect(url.origin + url.pathname).toBe(`${issuer}/authorize`)
    idToken = await sign(validClaims(pending))
    expect(await provider.finish(callback(pending.state, issuer), pending)).toEqual({
      issuer,
      subject: '42',
      email: 'sara@example.ma',
      isEmailVerified: true,
      name: 'Sara',
    })
    const [request] = tokenRequests
    expect(request?.authorization).toBe(`Basic ${Buffer.from('community:secret').toString('base64')}`)
    expect(Object.fromEntries(request?.form ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'the-code',
      code_verifier: pending.verifier,
      redirect_uri: 'https://community.example/auth/google/callback',
    })
  })

  it.each([
    [true, true],
    ['true', false],
    ['True', false],
    [false, false],
    ['false', false],
    [undefined, false],
    [1, false],
  ])('email_verified %j counts as %j', async (email_verified, isEmailVerified) => {
    const provider = createProvider()
    const { pending } = await provider.begin()
    idToken = await sign({ ...validClaims(pending), email_verified })
    expect(await provider.finish(callback(pending.state), pending)).toMatchObject({ isEmailVerified })
  })

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'other' })],
    ['no nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'somebody-else' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['a past expiry', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 })],
    ['no expiry', ({ exp: _exp, ...claims }) => claims],
    ['no subject', ({ sub: _sub, ...claims }) => claims],
    ['an empty subject', (claims) => ({ ...claims, sub: '' })],
    ['a blank subject', (claims) => ({ ...claims, sub: ' ' })],
    ['a number as its subject', (claims) => ({ ...claims, sub: 42 as unknown as string })],
    ['null as its subject', (claims) => ({ ...claims, sub: null as unknown as string })],
  ])('rejects a token with %s', async (_what, change) => {
    const provider = createProvider()
    const { pending } = await provider.begin()
    idToken = await sign(change(validClaims(pending)))
    await expect(provider.finish(callback(pending.state), pending)).rejects.toThrow()
  })

  it('rejects a token with a wrong signature', async () => {
    const provider = createProvider()
    const { pending } = await provider.begin()
    const claims = validClaims(pending)
    const stranger = await generateKeyPair('RS256')
    const unsigned = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const byPublicKey = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)))
    for (const token of [
      await sign(claims, stranger.privateKey),
      `${unsigned.join('.')}.`,
      await sign(claims, byPublicKey, 'HS256'),
      'no.token.atall',
    ]) {
      idToken = token
      await expect(provider.finish(callback(pending.state), pending)).rejects.toThrow()
    }
  })

  it('rejects a wrong or empty state and a wrong issuer before exchanging the code', async () => {
    const provider = createProvider()
    const { pending } = await provider.begin()
    idToken = await sign(validClaims(pending))
    await expect(provider.finish(callback('other'), pending)).rejects.toThrow('state')
    await expect(provider.finish(callback(''), { ...pending, state: '' })).rejects.toThrow('state')
    await expect(provider.finish(callback(pending.state, 'https://evil.example'), pending)).rejects.toThrow('issuer')
    expect(tokenRequests).toEqual([])
  })
})

it('retries discovery at the next sign-in', async () => {
  const provider = createProvider()
  discoveryStatus = 503
  await expect(provider.begin()).rejects.toThrow('503')
  discoveryStatus = 200
  expect((await provider.begin()).url.origin).toBe(issuer)
})

it('times out when the provider does not exchange the code', async () => {
  const provider = createProvider()
  const { pending } = await provider.begin()
  isSilent = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [outcome] = await Promise.allSettled([
    provider.finish(callback(pending.state), pending),
    vi.advanceTimersByTimeAsync(4000),
  ])
  vi.useRealTimers()
  expect(outcome).toMatchObject({ reason: { message: 'The provider did not respond in time' } })
  isSilent = false
})
