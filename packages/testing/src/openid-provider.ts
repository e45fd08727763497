import { generateKeyPairSync, sign } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from './listening.ts'
import type { Settings } from './server-process.ts'

export interface OpenIdProvider {
  settings: Settings
  /** Latency in milliseconds. */
  delay: number
  /** Signs with a key that is missing in its JWKS. */
  usesUnpublishedKey: boolean
  /** Offset of its clock in seconds. */
  clockSkewSeconds: number
  /** Answers 500. */
  isFailing: boolean
  /** Claims of the next ID token. */
  nextIdToken: { nonce: string; email: string }
  /** Refuses connections until `open`. */
  close(): void
  open(): Promise<void>
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An OpenID provider without pages that accepts any code. */
export async function openOpenIdProvider(): Promise<OpenIdProvider> {
  const [publishedKeys, unpublishedKeys] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  let issuer = ''
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000) + provider.clockSkewSeconds
    const { email, nonce } = provider.nextIdToken
    const payload = {
      iss: issuer,
      aud: 'community',
      sub: email,
      iat: now,
      exp: now + 300,
      nonce,
      email,
      email_verified: true,
      name: 'Sara',
    }
    const input = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(payload)}`
    const { privateKey } = provider.usesUnpublishedKey ? unpublishedKeys : publishedKeys
    return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
  }
  const bodyOf = (path: string): object | null => {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }
    if (path === '/keys')
      return { keys: [{ ...publishedKeys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] }
    if (path === '/token') return { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken() }
    return null
  }
  const server = http.createServer((request, response) => {
    request.resume()
    void sleep(provider.delay).then(() => {
      const body = provider.isFailing ? null : bodyOf(request.url ?? '/')
      response.writeHead(body ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
    })
  })
  const port = await listenLocally(server)
  issuer = `http://127.0.0.1:${port}`
  const provider: OpenIdProvider = {
    settings: { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: 'community', OAUTH_CLIENT_SECRET: 'a secret of a test' },
    delay: 0,
    usesUnpublishedKey: false,
    clockSkewSeconds: 0,
    isFailing: false,
    nextIdToken: { nonce: '', email: '' },
    close() {
      server.close()
      server.closeAllConnections()
    },
    async open() {
      await listenLocally(server, port)
    },
  }
  return provider
}
