import type { Language } from '@community/contract'
import type { Db } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'
import type { Env } from './env.ts'
import type { IdentityProvider } from './integrations/identity-provider.ts'
import type { Mailer } from './integrations/mailer.ts'
import type { Storage } from './integrations/storage.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Secret } from './auth/secret.ts'

/** What the server is made of: opened once at start, closed at the end. */
export interface Deps {
  env: Env
  db: Db
  storage: Storage
  mailer: Mailer
  /** Null where external sign-in is not set up. */
  identityProvider: IdentityProvider | null
  passwords: Passwords
  secret: Secret
  log: FastifyBaseLogger
}

/** Who is calling. */
export interface Caller {
  id: string
  name: string
  email: string
  role: 'member' | 'admin'
  /** The sign-in this call belongs to. */
  familyId: string
}

/** What a use case may know of the request, whichever door it came through. */
export interface RequestFacts {
  id: string
  /** The client's address; of an IPv6 one only its /64 counts in limits. */
  address: string
  userAgent: string
  /** What the browser asks for; a member's own choice comes before it. */
  language: Language
  /** The value of a cookie of the browser. */
  cookie(name: string): string | undefined
  /** Takes a cookie of ours away from the browser with the answer. */
  dropCookie(name: string): void
  idempotencyKey?: string | undefined
}

export interface Context {
  deps: Omit<Deps, 'passwords'>
  db: Db
  user: Caller | null
  /** Why the bearer token that came with the request counts for nobody; null when it counts or none came. */
  tokenRefused: 'expired' | 'unknown' | null
  request: RequestFacts
  /** The answer's message in place of the route's own: set by `say`. */
  message?: string
}

export type VisitorContext = Context
export type MemberContext = Context & { user: Caller }
/** What a call that hashes is given besides: another cannot, so that none is missing among those that wait in their line. */
export interface Hashing {
  deps: Pick<Deps, 'passwords'>
}

/** Answers with another message than the route's own. */
export function say(ctx: Context, message: string): void {
  ctx.message = message
}
