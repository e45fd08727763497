import { randomBytes } from 'node:crypto'
import { Email, faults, PersonName } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Deps } from '../context.ts'
import { Refusal } from '../errors.ts'
import type { ExternalIdentity, PendingSignIn } from '../integrations/identity-provider.ts'
import { failuresFor, type PlainPaths } from '../openapi.ts'
import { requestFacts } from '../request-facts.ts'
import { isBlacklisted } from './blacklist.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts } from './limit-attempts.ts'
import { limitMailing, mailCode } from './mail-code.ts'
import { hashToken } from './session-adapter.ts'

/** Begun at the provider: state, verifier and nonce, sealed. */
const PENDING_COOKIE = 'community_external'
/** Back from the provider: binds the mailed code to this browser. */
export const BINDING_COOKIE = 'community_external_code'
const LIFE = 600

const cookie = ({ env }: Deps, name: string, value: string, maxAge = LIFE): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${env.appUrl.startsWith('https:') ? '; Secure' : ''}`

const visitorOf = (deps: Deps, request: FastifyRequest, reply: FastifyReply): Context => ({
  deps,
  db: deps.db,
  user: null,
  tokenRefused: null,
  request: requestFacts(request, reply),
})

async function begin(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  if (!deps.identityProvider) throw new Refusal(faults.externalSignInOff)
  await limitAttempts(visitorOf(deps, request, reply))
  const { url, pending } = await deps.identityProvider.begin()
  return reply
    .header('set-cookie', cookie(deps, PENDING_COOKIE, deps.secret.seal(JSON.stringify(pending))))
    .redirect(url.href, 302)
}

function pendingOf(deps: Deps, sealed: string | undefined): PendingSignIn {
  if (!sealed) throw new Error('This browser began no sign-in')
  return JSON.parse(deps.secret.open(sealed)) as PendingSignIn
}

/** The address the provider vouches for; anything less is no sign-in. */
function vouchedFor({ email, isEmailVerified, name }: ExternalIdentity): { email: string; name: string } {
  if (!isEmailVerified) throw new Error('The provider has not verified the address')
  const address = Email.parse(email)
  const named = PersonName.safeParse(name)
  return {
    email: address,
    name: named.success ? named.data : (address.split('@')[0] ?? address).padEnd(2, '.').slice(0, 100),
  }
}

async function comeBack(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  if (!deps.identityProvider) throw new Refusal(faults.externalSignInOff)
  const ctx = visitorOf(deps, request, reply)
  await limitMailing(ctx)
  const { code = '', state = '', iss } = request.query as Record<string, string | undefined>
  const identity = await deps.identityProvider.finish(
    { code, state, iss },
    pendingOf(deps, ctx.request.cookie(PENDING_COOKIE)),
  )
  const { email, name } = vouchedFor(identity)
  if (await isBlacklisted(deps.db, email)) throw new Refusal(faults.emailRefused)

  const account = await findAccount(deps.db, email)
  const browser = randomBytes(32).toString('base64url')
  await mailCode(ctx, {
    purpose: 'external',
    email,
    userId: account?.id ?? null,
    language: account?.language ?? ctx.request.language,
    binding: { hash: hashToken(browser), identity: { issuer: identity.issuer, subject: identity.subject, name } },
  })
  reply.header('set-cookie', [cookie(deps, BINDING_COOKIE, browser), cookie(deps, PENDING_COOKIE, '', 0)])
  return `/auth/google-otp?${new URLSearchParams({ email, name }).toString()}`
}

/** The browser's way to the provider and back: two redirects, no JSON. What goes wrong ends on the app's own page. */
export const externalSignIn: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const start = (request: FastifyRequest, reply: FastifyReply) =>
    begin(deps, request, reply).catch((error: unknown) => {
      if (error instanceof Refusal && error.fault.status === 404) throw error
      request.log.warn({ err: error }, 'external sign-in could not begin')
      return reply.redirect(`${deps.env.appUrl}/#external-sign-in-failed`, 302)
    })
  app.get('/auth/google', start)
  app.get('/api/auth/google', start)
  app.get('/auth/google/callback', async (request, reply) => {
    const target = await comeBack(deps, request, reply).catch((error: unknown) => {
      request.log.warn({ err: error }, 'external sign-in failed')
      return '/#external-sign-in-failed'
    })
    return reply.redirect(`${deps.env.appUrl}${target}`, 302)
  })
}

export const externalSignInPaths: PlainPaths = {
  '/auth/google': {
    get: {
      operationId: 'authGoogle',
      tags: ['auth'],
      summary: 'Sign in through the external provider: a redirect for browsers',
      security: [],
      responses: {
        302: { description: 'To the provider', headers: { Location: { schema: { type: 'string' } } } },
        ...failuresFor({ externalSignInOff: faults.externalSignInOff }),
      },
    },
  },
}
