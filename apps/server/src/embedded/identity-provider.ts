import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Email } from '@community/contract'
import { exportJWK, generateKeyPair } from 'jose'
import type { default as Provider, interactionPolicy as InteractionPolicy } from 'oidc-provider'
import type { OauthSettings } from '../config.ts'
import { sendIdentityPage, errorPage, signInPage } from './identity-pages.ts'

export interface EmbeddedIdentityProvider {
  oauth: OauthSettings
  close(): Promise<void>
}

/** An identity entered in the sign-in form. */
interface EnteredIdentity {
  name: string
  isVerified: boolean
}

const HOST = '127.0.0.1'
const INTERACTION = /^\/interaction\/[\w-]+$/
const BODY_BYTES_MAX = 10_000
const TTL_SECONDS = 600

const listen = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port))
  })

interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  appUrl: string
  /** By email address. */
  identities: Map<string, EnteredIdentity>
}

/** The library's warnings about production use and Node 20. */
const LIBRARY_WARNING = /oidc-provider WARNING: (Unsupported runtime|a quick start development-only in-memory adapter)/

/** Suppresses the library's warnings during `work`; others are printed. */
async function withoutLibraryWarnings<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console
  const filteredWarn = (...args: unknown[]) => {
    if (!LIBRARY_WARNING.test(String(args[0]))) warn(...args)
  }
  Object.assign(console, { warn: filteredWarn })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn })
  }
}

/** Always shows the form, so that developers can switch identities. */
function createPolicy({ base, Check }: typeof InteractionPolicy) {
  const policy = base()
  const alwaysAsk = new Check('always_ask', 'the form is always shown', ({ oidc }) => oidc.result?.login === undefined)
  policy.get('login')?.checks.add(alwaysAsk)
  return policy
}

/** Creates the provider. Its library is imported here, with the first request, so that it does not delay the start. */
async function createProvider({
  issuer,
  clientId,
  clientSecret,
  appUrl,
  identities,
}: ProviderSettings): Promise<Provider> {
  const { default: OidcProvider, interactionPolicy } = await import('oidc-provider')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return new OidcProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${appUrl}/auth/google/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    ttl: {
      AccessToken: TTL_SECONDS,
      AuthorizationCode: TTL_SECONDS,
      Grant: TTL_SECONDS,
      IdToken: TTL_SECONDS,
      Interaction: TTL_SECONDS,
      Session: TTL_SECONDS,
    },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    responseTypes: ['code'],
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html'
      ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      ctx.body = errorPage(`${error}: ${description ?? 'no description'}`, appUrl)
    },
    interactions: { policy: createPolicy(interactionPolicy), url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Grants consent implicitly: there is only one client.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount: (_ctx, email) => ({
      accountId: email,
      claims: () => ({
        sub: email,
        email,
        email_verified: identities.get(email)?.isVerified ?? false,
        name: identities.get(email)?.name ?? email,
      }),
    }),
  })
}

/** Shows the sign-in form, or handles its submission. */
async function handleInteraction(
  provider: Provider,
  { appUrl, identities }: ProviderSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return sendIdentityPage(response, 200, signInPage(), appUrl)
  if (Number(request.headers['content-length'] ?? Infinity) > BODY_BYTES_MAX) return void response.writeHead(413).end()
  const form = new URLSearchParams(await text(request))
  const email = Email.safeParse(form.get('email'))
  if (!email.success) return sendIdentityPage(response, 400, signInPage('Please enter a valid email address'), appUrl)
  const name = form.get('name')?.trim() || (email.data.split('@')[0] ?? email.data)
  identities.set(email.data, { name, isVerified: form.has('verified') })
  await provider.interactionFinished(request, response, { login: { accountId: email.data, remember: false } })
}

/**
 * A real OpenID provider for development and tests: requires PKCE, signs its tokens, and accepts any email address without a password.
 * Listens on loopback only.
 */
export async function startIdentityProvider({ appUrl }: { appUrl: string }): Promise<EmbeddedIdentityProvider> {
  const server = createServer()
  const issuer = `http://${HOST}:${await listen(server)}`
  const oauth: OauthSettings = { issuer, clientId: 'community', clientSecret: randomBytes(24).toString('base64url') }
  const settings: ProviderSettings = { ...oauth, appUrl, identities: new Map() }
  let loading: Promise<Provider> | undefined
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const provider = await (loading ??= withoutLibraryWarnings(() => createProvider(settings)))
    const isInteraction = INTERACTION.test(new URL(request.url ?? '/', issuer).pathname)
    await (isInteraction
      ? handleInteraction(provider, settings, request, response)
      : provider.callback()(request, response))
  }
  server.on('request', (request, response) => {
    handleRequest(request, response).catch(() => {
      // The interaction has expired or belongs to another browser.
      if (!response.headersSent)
        sendIdentityPage(response, 400, errorPage('Please begin again in the app.', appUrl), appUrl)
    })
  })
  return {
    oauth,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
