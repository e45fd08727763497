import type { ErrorDefinition, Language, Output, ParsedInput, Route, TokenScope } from '@community/contract'
import type { Connection, Db } from '@community/db'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { RunProcedure } from './http/request-limits.ts'
import type { Tracing } from './observability/tracing.ts'
import type { IdentityProvider } from './integrations/identity-provider.ts'
import type { Mailer } from './integrations/mailer.ts'
import type { Replica, ReplicaRead } from './database/replica.ts'
import type { Storage } from './integrations/storage.ts'
import type { PasswordHasher } from './auth/passwords.ts'
import type { Secret } from './auth/secret.ts'

/** The server's dependencies: opened at start, closed at shutdown. */
export interface Deps {
  config: Config
  db: Db
  /** A pool of one connection for health checks, so that they respond while the main pool is exhausted. */
  healthDb: Db
  /** Null without DATABASE_REPLICA_URL. */
  replica: Pick<Replica, 'reads'> | null
  /** Runs reads of statistics that may be seconds old. */
  readStats: ReplicaRead
  /** Runs exports, each on a pool of one connection, opened when needed: they hold it for minutes. */
  readExport: ReplicaRead
  /** Opens one connection without deadlines to the server itself, never through a pooler: to listen for changes, or to import. */
  openDirect(): Connection
  storage: Storage
  mailer: Mailer
  /** Null when external sign-in is not configured. */
  identityProvider: IdentityProvider | null
  passwords: PasswordHasher
  secret: Secret
  log: FastifyBaseLogger
  /** Undefined without OTEL_EXPORTER_OTLP_ENDPOINT. */
  tracing?: Tracing | undefined
}

/** The signed-in user. */
export interface Caller {
  id: string
  name: string
  email: string
  /** `member` for an administrator's personal access token without the scope `admin`. */
  role: 'member' | 'admin'
  /** The sign-in that the access token belongs to; null for a personal access token. */
  familyId: string | null
  /** Undefined for a session. */
  personalToken?: CallerToken | undefined
}

/** The personal access token of a request. */
interface CallerToken {
  id: string
  name: string
  scopes: readonly TokenScope[]
  ownerRole: Caller['role']
}

/** The request as use cases see it, over either transport. */
export interface ClientInfo {
  id: string
  /** The client's IP address. Limits count IPv6 addresses by their /64. */
  ip: string
  userAgent: string
  /** From `Accept-Language`; absent without a supported one. */
  acceptedLanguage?: Language | undefined
  /** `acceptedLanguage`, by default English. A member's own setting takes precedence. */
  language: Language
  cookie(name: string): string | undefined
  /** Sets an HttpOnly cookie on the response. */
  setCookie(name: string, value: string, maxAgeSeconds: number): void
  /** Expires a cookie that `setCookie` set. */
  clearCookie(name: string): void
  idempotencyKey?: string | undefined
  /** The unverified `X-Proof-Of-Work` header. */
  proofOfWork?: string | undefined
}

export interface Context {
  deps: Omit<Deps, 'passwords'>
  db: Db
  user: Caller | null
  /** Why the request's bearer token is not accepted; null when it is, or when there is none. */
  tokenError: ErrorDefinition | null
  request: ClientInfo
  /** Runs a procedure of a batch within the request's concurrency limit; absent when the transport does so itself. */
  runProcedure?: RunProcedure
  /** Charges a read's cost to the client's read limit. */
  chargeRead?(cost: number): void
  /** Replaces the route's success message: set by `setMessage`. */
  message?: string
  /** The account that a visitor's request concerns, for the security log; null for none. Set by `setSubject`. */
  subjectId?: string | null | undefined
}

/** Authenticates a request and creates the context of its procedures. */
export type CreateContext = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>

export type AuthenticatedContext = Context & { user: Caller }
/** The context of procedures declared with `sessionOnly`. */
export type SessionContext = Context & { user: Caller & { familyId: string } }
/** Only procedures declared with `hashesPassword` get `passwords`, so that all of them pass the hashing concurrency limit. */
export interface PasswordContext {
  deps: Pick<Deps, 'passwords'>
}

/** The context of a route's use case: `user` may be null only if visitors may call it. */
export type CallerContext<R extends Route> = (R['access'] extends 'visitor' ? Context : AuthenticatedContext) &
  (R['hashesPassword'] extends true ? PasswordContext : unknown) &
  (R['sessionOnly'] extends true ? SessionContext : unknown)

/** The implementation of a route, independent of tRPC and HTTP. */
export type UseCase<R extends Route> = (ctx: CallerContext<R>, input: ParsedInput<R>) => Promise<Output<R>>

/** Replaces the success message of the route. */
export function setMessage(ctx: Context, message: string): void {
  ctx.message = message
}

/** Names the account that a visitor's request concerns, for the security log. */
export function setSubject(ctx: Context, userId: string | null | undefined): void {
  ctx.subjectId = userId ?? null
}
