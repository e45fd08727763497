import { randomBytes } from 'node:crypto'
import { Email, appErrors, Language, LANGUAGES, limits, PersonName } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context, Deps } from '../context.ts'
import { NO_CORS } from '../http/cors.ts'
import { cookieName } from '../http/cookies.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { ExternalIdentity, PendingSignIn } from '../integrations/identity-provider.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { headersOf } from '../rest/openapi/headers.ts'
import { clientInfoOf } from '../http/client-info.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { findAccountByEmail, findLinkedAccount, isBlacklisted } from './account-queries.ts'
import { findSecondsToExpiry } from './code-queries.ts'
import { hashToken } from './hash-token.ts'
import { consumePendingSignIn, storePendingSignIn } from './pending-sign-in-commands.ts'
import { limitAttempts } from './limit-attempts.ts'
import { limitMailRequests, mailCode } from './mail-code.ts'

type CookieConfig = Pick<Config, 'appUrl'>

/** State, PKCE verifier and nonce, encrypted, while the browser is at the provider. */
const pendingCookieName = (config: CookieConfig): string => cookieName(config, 'community_external')
/** Binds the mailed code to the browser that returned from the provider. */
export const bindingCookieName = (config: CookieConfig): string => cookieName(config, 'community_external_code')

/** Seconds to return from the provider, and then to enter the code. */
const PENDING_TTL = 10 * limits.MINUTE

const createVisitorContext = (deps: Deps, request: FastifyRequest, reply: FastifyReply): Context => ({
  deps,
  db: deps.db,
  user: null,
  tokenError: null,
  request: clientInfoOf(request, reply),
})

/** A sign-in started in this browser, as stored in its cookie. */
interface SignInAttempt {
  pending: PendingSignIn
  /** The page's language; the provider's redirect does not carry it. */
  language?: Language | undefined
}

/** An unknown language is ignored. */
const StartQuery = z.object({ language: Language.optional().catch(undefined) })

interface ExternalSignInOptions {
  deps: Deps
  /** Wraps the check of the rate limit, which rejects a flood before any other query runs. */
  limitFirstQuery: RequestLimits['limitFirstQuery']
}

async function startSignIn(
  { deps, limitFirstQuery }: ExternalSignInOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!deps.identityProvider) throw new AppError(appErrors.externalSignInOff)
  const ctx = createVisitorContext(deps, request, reply)
  await limitFirstQuery(request, reply, () => limitAttempts(ctx))
  const { url, pending } = await deps.identityProvider.begin()
  await storePendingSignIn(deps.db, pending.state, PENDING_TTL)
  const attempt: SignInAttempt = { pending, ...StartQuery.parse(request.query) }
  const sealed = deps.secret.seal(JSON.stringify(attempt))
  ctx.request.setCookie(pendingCookieName(deps.config), sealed, PENDING_TTL)
  return reply.redirect(url.href, 302)
}

function unsealAttempt(deps: Deps, sealed: string | undefined): SignInAttempt {
  if (!sealed) throw new Error('The browser has no sign-in cookie')
  // Only `startSignIn` can have sealed it.
  return JSON.parse(deps.secret.unseal(sealed)) as SignInAttempt
}

/** The verified email and a valid name; throws if the provider has not verified the email. */
function readIdentity({ email, isEmailVerified, name }: ExternalIdentity): { email: string; name: string } {
  if (!isEmailVerified) throw new Error('The provider has not verified the e-mail address')
  const parsedEmail = Email.parse(email)
  const parsedName = PersonName.safeParse(name)
  return {
    email: parsedEmail,
    name: parsedName.success
      ? parsedName.data
      : (parsedEmail.split('@')[0] ?? parsedEmail).padEnd(2, '.').slice(0, 100),
  }
}

const CallbackQuery = z.object({
  code: z.string().min(1).max(4096),
  state: z.string().min(1).max(500),
  iss: z.string().max(500).optional(),
})

async function handleCallback(
  { deps, limitFirstQuery }: ExternalSignInOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { db, config, identityProvider } = deps
  if (!identityProvider) throw new AppError(appErrors.externalSignInOff)
  const ctx = createVisitorContext(deps, request, reply)
  const sealed = ctx.request.cookie(pendingCookieName(config))
  // Valid for one callback, successful or not.
  ctx.request.clearCookie(pendingCookieName(config))
  await limitFirstQuery(request, reply, () => limitMailRequests(ctx))
  const { code, state, iss } = CallbackQuery.parse(request.query)
  const { pending, language = ctx.request.language } = unsealAttempt(deps, sealed)
  // Compare before consuming: another browser's callback must not end this sign-in.
  if (state !== pending.state) throw new Error('The state does not match the cookie')
  if (!(await consumePendingSignIn(db, state))) throw new Error('The state has expired or was already used')
  const identity = await identityProvider.finish({ code, state, iss }, pending)
  const { email: identityEmail, name } = readIdentity(identity)
  // A linked identity may have another address by now, which proves nothing about the account: the code goes to the account's own.
  const account = (await findLinkedAccount(db, identity)) ?? (await findAccountByEmail(db, identityEmail))
  if (!account && (await isBlacklisted(db, identityEmail))) throw new AppError(appErrors.emailRefused)
  const email = account?.email ?? identityEmail

  const bindingToken = randomBytes(32).toString('base64url')
  const isMailed = await mailCode(ctx, {
    purpose: 'external',
    email,
    userId: account?.id ?? null,
    language: account?.language ?? language,
    binding: { hash: hashToken(bindingToken), identity: { issuer: identity.issuer, subject: identity.subject, name } },
  })
  ctx.request.setCookie(bindingCookieName(config), bindingToken, PENDING_TTL)
  const searchParams = new URLSearchParams({ email, name })
  // During the cooldown no new code is mailed: the page counts down the seconds of the earlier one.
  if (!isMailed) searchParams.set('expiresIn', String(await findSecondsToExpiry(db, 'external', email)))
  return `/auth/google-otp?${searchParams.toString()}`
}

/** The OAuth redirects: browser routes without JSON. Errors redirect to the app. */
export const externalSignIn: FastifyPluginAsync<ExternalSignInOptions> = async (app, options) => {
  const { deps } = options
  const start = (request: FastifyRequest, reply: FastifyReply) =>
    startSignIn(options, request, reply).catch((error: unknown) => {
      if (error instanceof AppError && error.definition.status === 404) throw error
      request.log.warn({ err: error }, 'Cannot start an external sign-in')
      return reply.redirect(`${deps.config.appUrl}/#external-sign-in-failed`, 302)
    })
  app.get('/auth/google', NO_CORS, start)
  app.get('/api/auth/google', NO_CORS, start)
  app.get('/auth/google/callback', NO_CORS, async (request, reply) => {
    const target = await handleCallback(options, request, reply).catch((error: unknown) => {
      logSecurityEvent(createVisitorContext(deps, request, reply), 'auth.external_sign_in_failed', { err: error })
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
      description: 'Open it in a browser. It returns to the app, which asks for the mailed code.',
      security: [],
      parameters: [
        {
          name: 'language',
          in: 'query',
          description: 'The language of the mail with the code; by default the browser’s',
          schema: { type: 'string', enum: [...LANGUAGES] },
        },
      ],
      responses: {
        302: {
          description: 'Redirect to the provider',
          headers: { ...headersOf(), Location: { description: 'The provider’s page', schema: { type: 'string' } } },
        },
        ...failureResponses({
          externalSignInOff: appErrors.externalSignInOff,
          tooManyRequests: appErrors.tooManyRequests,
          unavailable: appErrors.unavailable,
        }),
        default: {
          description: 'Any other failure, such as 400 for a request without `Host`',
          headers: headersOf(),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
    },
  },
}
