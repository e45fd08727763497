import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from 'arctic'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { OauthSettings } from '../config.ts'

/** The values that a browser must return to finish the sign-in it began. */
export interface PendingSignIn {
  state: string
  verifier: string
  nonce: string
}

/** The claims of a user at the provider. */
export interface ExternalIdentity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

export interface IdentityProvider {
  /** The URL to redirect the browser to, and the values to keep until it returns. */
  begin(): Promise<{ url: URL; pending: PendingSignIn }>
  /** Throws if discovery fails. */
  check(): Promise<void>
  /** Exchanges the code; throws unless code and token are valid and belong to this sign-in. */
  finish(
    callback: { code: string; state: string; iss?: string | undefined },
    pending: PendingSignIn,
  ): Promise<ExternalIdentity>
}

interface Discovery {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
}

/** Milliseconds per step of a sign-in, for which the browser waits. */
const TIMEOUT_MS = 4000

/** Rejects after the timeout; arctic has none for the code exchange. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The provider did not respond in time')), TIMEOUT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

async function discover(issuer: string) {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`Discovery answered ${response.status}`)
  const document = (await response.json()) as Discovery
  if (document.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
    throw new Error(`Discovery names another issuer: ${document.issuer}`)
  return { ...document, keys: createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: TIMEOUT_MS }) }
}

/** External sign-in with OpenID Connect: code flow with PKCE, state and nonce; endpoints by discovery. */
export function createIdentityProvider(
  { issuer, clientId, clientSecret }: OauthSettings,
  appUrl: string,
): IdentityProvider {
  const client = new OAuth2Client(clientId, clientSecret, `${appUrl}/auth/google/callback`)
  let discovery: ReturnType<typeof discover> | undefined
  const getDiscovery = () =>
    (discovery ??= discover(issuer).catch((error: unknown) => {
      // Do not cache a failure: the next sign-in tries again.
      discovery = undefined
      throw error
    }))
  const finish: IdentityProvider['finish'] = async ({ code, state, iss }, pending) => {
    if (state === '' || state !== pending.state) throw new Error('The state differs')
    const { issuer: discoveredIssuer, token_endpoint: endpoint, keys } = await getDiscovery()
    if (iss !== undefined && iss !== discoveredIssuer) throw new Error('The issuer differs')
    const tokens = await client.validateAuthorizationCode(endpoint, code, pending.verifier)
    const { payload } = await jwtVerify(tokens.idToken(), keys, {
      issuer: discoveredIssuer,
      audience: clientId,
      clockTolerance: 30,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    })
    if (payload.nonce !== pending.nonce) throw new Error('The nonce differs')
    // jose checks only that the claim is present.
    if (typeof payload.sub !== 'string' || payload.sub.trim() === '') throw new Error('The subject is missing')
    return {
      issuer: discoveredIssuer,
      subject: payload.sub,
      email: typeof payload.email === 'string' ? payload.email : null,
      isEmailVerified: payload.email_verified === true,
      name: typeof payload.name === 'string' ? payload.name : null,
    }
  }
  return {
    async check() {
      await getDiscovery()
    },
    async begin() {
      const { authorization_endpoint: endpoint } = await getDiscovery()
      const pending = { state: generateState(), verifier: generateCodeVerifier(), nonce: generateState() }
      const scopes = ['openid', 'email', 'profile']
      const url = client.createAuthorizationURLWithPKCE(
        endpoint,
        pending.state,
        CodeChallengeMethod.S256,
        pending.verifier,
        scopes,
      )
      url.searchParams.set('nonce', pending.nonce)
      return { url, pending }
    },
    finish: (callback, pending) => withTimeout(finish(callback, pending)),
  }
}
