import {
  type Failure,
  type ErrorDefinition,
  type ErrorDetails,
  appErrors,
  issuesByField,
  withMessage,
  unknownField,
  unknownKeys,
} from '@community/contract'
import { constraintOf, isDatabaseUnavailable, isRetryable, isTimeout } from '@community/db'
import { TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { z } from 'zod'

const TRPC_CODE: Record<ErrorDefinition['status'], TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}

/** An expected refusal: the only kind of error whose text reaches a client. */
export class AppError extends TRPCError {
  readonly definition: ErrorDefinition

  constructor(fault: ErrorDefinition, flags: ErrorDetails = {}) {
    super({ code: TRPC_CODE[fault.status], message: fault.message })
    this.definition = { ...fault, ...flags }
  }
}

/** Throws the fault a rule found; does nothing when it found none. */
export function throwIf(fault: ErrorDefinition | null, flags?: ErrorDetails): asserts fault is null {
  if (fault) throw new AppError(fault, flags)
}

/** Constraints are the last word on a race; each of them that a caller can run into has its fault here. */
const CONSTRAINT_FAULTS: Record<string, ErrorDefinition> = {
  users_email_unique: appErrors.emailTaken,
  teams_name_unique: appErrors.duplicateName,
  roles_name_unique: appErrors.duplicateRole,
  team_members_once: appErrors.alreadyMember,
  teams_member_count: appErrors.teamFull,
  submissions_upload_once: appErrors.fileMissing,
  idempotency_owners_live: appErrors.tooManyIdempotencyKeys,
}

type Issue = z.core.$ZodIssue

function errorsOf(issues: Issue[]) {
  const errors = issuesByField(issues).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownKeys(issue.keys).map((key) => ({ msg: unknownField(key), path: [...issue.path, key].join('.') }))
      : [{ msg: issue.message, path: issue.path.join('.') }],
  )
  // A list given for a text is of the wrong kind and has a length: both may be told in the same words.
  return [...new Map(errors.map((error) => [`${error.path} ${error.msg}`, error])).values()]
}

function issuesOf(error: unknown): Issue[] | undefined {
  const cause = error instanceof TRPCError && error.code === 'BAD_REQUEST' ? error.cause : undefined
  const issues: unknown = cause && 'issues' in cause ? cause.issues : undefined
  return Array.isArray(issues) ? (issues as Issue[]) : undefined
}

const bodyOf = ({ status: _status, path, ...fault }: ErrorDefinition): Failure => ({
  success: false,
  ...fault,
  ...(path !== undefined && { errors: [{ msg: fault.message, path }] }),
})

/** Errors with a status of their own: Fastify's and tRPC's refusals of a request's form. */
function faultOfStatus(error: unknown, status: number): ErrorDefinition | null {
  if (status === 401) return appErrors.notSignedIn
  if (status === 403) return appErrors.adminsOnly
  if (status === 404 || status === 405) return appErrors.notFound
  if (status === 408) return appErrors.unavailable
  if (status === 413) return appErrors.tooLarge
  if (status === 415) return appErrors.wrongContentType
  if (status === 429) return appErrors.tooManyRequests
  if (status === 503) return appErrors.unavailable
  if (status >= 400 && status < 500) return malformedOf(error)
  return null
}

export const malformedRequest = withMessage(appErrors.validation, 'The request is malformed')
const malformedBody = withMessage(appErrors.validation, 'The body is not valid JSON')

/** What a malformed request is told: never a parser's own words. */
const malformedOf = (error: unknown): ErrorDefinition =>
  /json|body/i.test(error instanceof Error ? error.message : '') ? malformedBody : malformedRequest

export interface Answer {
  status: number
  body: Failure
  /** Worth a line in the error log: nobody expected it. */
  unexpected: boolean
}

/** The refusal that stands behind an error of the database; null where nobody expected it. */
export function databaseErrorOf(error: unknown): ErrorDefinition | null {
  const constraint = constraintOf(error)
  if (constraint !== null && CONSTRAINT_FAULTS[constraint]) return CONSTRAINT_FAULTS[constraint]
  // A conflict that reaches this place has been tried again in vain.
  const isForNow = isDatabaseUnavailable(error) || isTimeout(error) || isRetryable(error)
  return isForNow ? appErrors.unavailable : null
}

/** Seconds to wait before another try, where whoever refused knows no better. */
const COOLDOWN = 2
/** Is it a refusal for now, that tells when to come back? */
export const isTemporary = (status: number): boolean => status === 429 || status === 503

/** Seconds that the `Retry-After` header of a failure tells: of every 429 and 503, and of nothing else. */
export const retryAfter = ({ status, body }: Pick<Answer, 'status' | 'body'>): number | undefined =>
  isTemporary(status) ? body.cooldown : undefined

const known = (fault: ErrorDefinition): Answer => {
  const { status } = fault
  const body = bodyOf(isTemporary(status) ? { cooldown: COOLDOWN, ...fault } : fault)
  return { status, body, unexpected: false }
}

/** The one place where an error becomes what a client reads, at both doors. */
export function toFailure(error: unknown): Answer {
  if (error instanceof AppError) return known(error.definition)
  const issues = issuesOf(error)
  if (issues) {
    const errors = errorsOf(issues)
    return {
      ...known(appErrors.validation),
      body: { ...bodyOf(appErrors.validation), message: errors.map(({ msg }) => msg).join(', '), errors },
    }
  }
  const cause = error instanceof TRPCError && error.cause ? error.cause : error
  if (cause instanceof AppError) return known(cause.definition)
  const behind = databaseErrorOf(cause)
  if (behind) return known(behind)
  const status =
    error instanceof TRPCError
      ? getHTTPStatusCodeFromError(error)
      : typeof (error as { statusCode?: unknown } | null)?.statusCode === 'number'
        ? (error as { statusCode: number }).statusCode
        : 500
  const fault = faultOfStatus(error, status)
  if (fault) return known(fault)
  const body = { success: false as const, code: 'INTERNAL', message: 'Something went wrong. Please try again.' }
  return { status: 500, body, unexpected: true }
}
