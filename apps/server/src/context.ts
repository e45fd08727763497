import type { Language } from '@community/contract'
import type { Db } from '@community/db'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { RunProcedure } from './http/request-limits.ts'
import type { IdentityProvider } from './integrations/identity-provider.ts'
import type { Mailer } from './integrations/mailer.ts'
import type { Storage } from './integrations/storage.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Secret } from './auth/secret.ts'

/** What the server is made of: opened once at start, closed at the end. */
export interface Deps {
  config: Config
  db: Db
  /** A connection that health checks have to themselves: they are answered while all others are busy. */
  healthDb: Db
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
export interface ClientInfo {
  id: string
  /** The client's address; of an IPv6 one only its /64 counts in limits. */
  address: string
  userAgent: string
  /** What the browser asks for; a member's own choice comes before it. */
  language: Language
  /** The value of a cookie of the browser. */
  cookie(name: string): string | undefined
  /** Sets a cookie that scripts cannot read with the answer. */
  setCookie(name: string, value: string, maxAgeSeconds: number): void
  /** Takes a cookie of ours away from the browser with the answer. */
  dropCookie(name: string): void
  idempotencyKey?: string | undefined
  /** The header `X-Proof-Of-Work`, as it came. */
  proofOfWork?: string | undefined
}

export interface Context {
  deps: Omit<Deps, 'passwords'>
  db: Db
  user: Caller | null
  /** Why the bearer token that came with the request counts for nobody; null when it counts or none came. */
  tokenError: 'expired' | 'unknown' | null
  request: ClientInfo
  /** Runs a call of a batch, so that no more run at once than the request has units; left out where the transport sees to it. */
  runProcedure?: RunProcedure
  /** Charges the client's read budget with what a read costs. */
  chargeRead?(cost: number): void
  /** The answer's message in place of the route's own: set by `say`. */
  message?: string
  /** The account a visitor's call is about, for the security log; null for none: set by `setSubject`. */
  subjectId?: string | null | undefined
}

/** Authenticates a request and creates the context of its procedures. */
export type CreateContext = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>

export type VisitorContext = Context
export type MemberContext = Context & { user: Caller }
/** What a call that hashes is given besides: another cannot, so that none is missing among those that wait in their line. */
export interface PasswordContext {
  deps: Pick<Deps, 'passwords'>
}

/** Answers with another message than the route's own. */
export function setMessage(ctx: Context, message: string): void {
  ctx.message = message
}

/** Names the account that a visitor's call is about; nothing where there is none. */
export function setSubject(ctx: Context, userId: string | null | undefined): void {
  ctx.subjectId = userId ?? null
}
