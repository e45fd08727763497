import { randomBytes } from 'node:crypto'
import { Email, appErrors, Language, LANGUAGES, limits, PersonName } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context, Deps } from '../context.ts'
import { cookieName, serializeCookie } from '../http/cookies.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { ExternalIdentity, PendingSignIn } from '../integrations/identity-provider.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { clientInfoOf } from '../http/client-info.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { isBlacklisted } from './blacklist.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts } from './limit-attempts.ts'
import { limitMailing, mailCode } from './mail-code.ts'
import { consumePendingSignIn, storePendingSignIn } from './pending-external-sign-ins.ts'
import { hashToken } from './session-adapter.ts'

type Cookies = Pick<Config, 'appUrl'>

/** Begun at the provider: state, verifier and nonce, sealed. */
const pendingCookie = (config: Cookies): string => cookieName(config, 'community_external')
/** Back from the provider: binds the mailed code to this browser. */
export const bindingCookie = (config: Cookies): string => cookieName(config, 'community_external_code')

/** Seconds in which somebody must come back from the provider, and then enter the code. */
const LIFE = 10 * limits.MINUTE

const visitorOf = (deps: Deps, request: FastifyRequest, reply: FastifyReply): Context => ({
  deps,
  db: deps.db,
  user: null,
  tokenError: null,
  request: clientInfoOf(request, reply),
})

/** A sign-in that was begun here, as the browser's cookie holds it. */
interface Begun {
  pending: PendingSignIn
  /** The page's, which the browser does not tell on its way over the provider. */
  language?: Language | undefined
}

/** What a page may say where the way begins: its language; what is none is not heard. */
const Asked = z.object({ language: Language.optional().catch(undefined) })

async function begin(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  if (!deps.identityProvider) throw new AppError(appErrors.externalSignInOff)
  await limitAttempts(visitorOf(deps, request, reply))
  const { url, pending } = await deps.identityProvider.begin()
  await storePendingSignIn(deps.db, pending.state, LIFE)
  const begun: Begun = { pending, ...Asked.parse(request.query) }
  const sealed = deps.secret.seal(JSON.stringify(begun))
  return reply.header('set-cookie', serializeCookie(pendingCookie(deps.config), sealed, LIFE)).redirect(url.href, 302)
}

function begunIn(deps: Deps, sealed: string | undefined): Begun {
  if (!sealed) throw new Error('This browser began no sign-in')
  // Nobody but `begin` can have sealed it.
  return JSON.parse(deps.secret.open(sealed)) as Begun
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

/** What the provider sends the browser back with. */
const Returned = z.object({
  code: z.string().min(1).max(4096),
  state: z.string().min(1).max(500),
  iss: z.string().max(500).optional(),
})

async function comeBack(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { db, config, identityProvider } = deps
  if (!identityProvider) throw new AppError(appErrors.externalSignInOff)
  const ctx = visitorOf(deps, request, reply)
  const sealed = ctx.request.cookie(pendingCookie(config))
  // Good for one return, whatever comes of it.
  ctx.request.dropCookie(pendingCookie(config))
  await limitMailing(ctx)
  const { code, state, iss } = Returned.parse(request.query)
  const { pending, language = ctx.request.language } = begunIn(deps, sealed)
  // Compared before it is spent: another browser's callback must not end this sign-in.
  if (state !== pending.state) throw new Error('The state differs')
  if (!(await consumePendingSignIn(db, state))) throw new Error('The state has expired or was used before')
  const identity = await identityProvider.finish({ code, state, iss }, pending)
  const { email, name } = vouchedFor(identity)
  if (await isBlacklisted(db, email)) throw new AppError(appErrors.emailRefused)

  const account = await findAccount(db, email)
  const browser = randomBytes(32).toString('base64url')
  await mailCode(ctx, {
    purpose: 'external',
    email,
    userId: account?.id ?? null,
    language: account?.language ?? language,
    binding: { hash: hashToken(browser), identity: { issuer: identity.issuer, subject: identity.subject, name } },
  })
  ctx.request.setCookie(bindingCookie(config), browser, LIFE)
  return `/auth/google-otp?${new URLSearchParams({ email, name }).toString()}`
}

/** The browser's way to the provider and back: two redirects, no JSON. What goes wrong ends on the app's own page. */
export const externalSignIn: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const start = (request: FastifyRequest, reply: FastifyReply) =>
    begin(deps, request, reply).catch((error: unknown) => {
      if (error instanceof AppError && error.definition.status === 404) throw error
      request.log.warn({ err: error }, 'external sign-in could not begin')
      return reply.redirect(`${deps.config.appUrl}/#external-sign-in-failed`, 302)
    })
  app.get('/auth/google', start)
  app.get('/api/auth/google', start)
  app.get('/auth/google/callback', async (request, reply) => {
    const target = await comeBack(deps, request, reply).catch((error: unknown) => {
      logSecurityEvent(visitorOf(deps, request, reply), 'auth.external_sign_in_failed', { err: error })
      return '/#external-sign-in-failed'
    })
    return reply.redirect(`${deps.config.appUrl}${target}`, 302)
  })
}

export const externalSignInPaths: OpenApiPaths = {
  '/auth/google': {
    get: {
      operationId: 'authGoogle',
      tags: ['auth'],
      summary: 'Sign in through the external provider: a redirect for browsers',
      security: [],
      parameters: [
        {
          name: 'language',
          in: 'query',
          description: 'The language of the mail that follows; without it the browser’s own',
          schema: { type: 'string', enum: [...LANGUAGES] },
        },
      ],
      responses: {
        302: { description: 'To the provider', headers: { Location: { schema: { type: 'string' } } } },
        ...failureResponses({ externalSignInOff: appErrors.externalSignInOff }),
      },
    },
  },
}
