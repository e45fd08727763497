import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OauthSettings } from '../env.ts'

export interface EmbeddedIdentityProvider {
  oauth: OauthSettings
  close(): Promise<void>
}

const HOST = '127.0.0.1'

const listen = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port))
  })

/**
 * A real OpenID provider for machines without one: it insists on PKCE, signs its tokens, and lets one sign in by typing an
 * address, which it then vouches for. Loopback only, for development and tests.
 */
export async function startIdentityProvider({ appUrl }: { appUrl: string }): Promise<EmbeddedIdentityProvider> {
  const server = createServer()
  const issuer = `http://${HOST}:${await listen(server)}`
  const client = { clientId: 'community', clientSecret: randomBytes(24).toString('base64url') }
  const { default: Provider } = await import('oidc-provider')
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${appUrl}/auth/google/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    // What is typed as the login is the address; its first part serves as the name.
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: id,
        email_verified: !id.startsWith('unverified'),
        name: id.split('@')[0] ?? id,
      }),
    }),
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    oauth: { issuer, ...client },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
