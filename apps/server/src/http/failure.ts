import {
  appErrors,
  codeOfIssue,
  type ErrorDefinition,
  type Failure,
  issuesByField,
  type Message,
  messageOfIssue,
  unknownFieldMessage,
  truncateUnknownKeys,
  withMessage,
} from '@community/contract'
import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { z } from 'zod'
import { AppError, databaseErrorOf } from '../errors.ts'

type Issue = z.core.$ZodIssue

const fieldError = ({ message, template, params }: Message, code: string, path: PropertyKey[]) => ({
  msg: message,
  code,
  ...(template !== undefined && { template }),
  ...(params && { params }),
  path: path.join('.'),
})

function issueError(issue: Issue) {
  const { code, params } = codeOfIssue(issue)
  const message = messageOfIssue(issue)
  return fieldError({ ...message, params: message.params ?? params }, code, issue.path)
}

function fieldErrors(issues: Issue[]) {
  const errors = issuesByField(issues).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? truncateUnknownKeys(issue.keys).map((key) =>
          fieldError(unknownFieldMessage(key), 'UNKNOWN_FIELD', [...issue.path, key]),
        )
      : [issueError(issue)],
  )
  // One field can break two rules with the same message: a list in place of a string is the wrong type and too long.
  return [...new Map(errors.map((error) => [`${error.path} ${error.msg}`, error])).values()]
}

function issuesOf(error: unknown): Issue[] | undefined {
  const cause = error instanceof TRPCError && error.code === 'BAD_REQUEST' ? error.cause : undefined
  const issues: unknown = cause && 'issues' in cause ? cause.issues : undefined
  return Array.isArray(issues) ? (issues as Issue[]) : undefined
}

const bodyOf = ({ status: _status, path, ...rest }: ErrorDefinition): Failure => ({
  success: false,
  ...rest,
  ...(path !== undefined && { errors: [fieldError(rest, rest.code, [path])] }),
})

export const malformedRequest = withMessage(appErrors.validation, 'The request is malformed')
const malformedBody = withMessage(appErrors.validation, 'The body is not valid JSON')

/** The statuses of requests that Fastify and tRPC reject themselves. */
const ERROR_OF_STATUS: Record<number, ErrorDefinition> = {
  401: appErrors.notSignedIn,
  403: appErrors.adminsOnly,
  404: appErrors.notFound,
  405: appErrors.methodNotAllowed,
  408: appErrors.unavailable,
  413: appErrors.tooLarge,
  415: appErrors.wrongContentType,
  429: appErrors.tooManyRequests,
  503: appErrors.unavailable,
}

function statusOf(error: unknown): number {
  if (error instanceof TRPCError) return getHTTPStatusCodeFromError(error)
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' ? status : 500
}

/** Any other 4xx is a malformed request. The parser's own message is never sent. */
function errorOfStatus(error: unknown): ErrorDefinition | undefined {
  const status = statusOf(error)
  if (ERROR_OF_STATUS[status] || status < 400 || status >= 500) return ERROR_OF_STATUS[status]
  return /json|body/i.test(error instanceof Error ? error.message : '') ? malformedBody : malformedRequest
}

interface FailureResponse {
  status: number
  body: Failure
  /** Whether the error is none of the catalogue and must be logged. */
  isUnexpected: boolean
}

/** `Retry-After` in seconds when the error has no cooldown. */
const DEFAULT_COOLDOWN = 2

/** Responses with these statuses carry `Retry-After`. */
export const isTemporary = (status: number): boolean => status === 429 || status === 503

/** Seconds for the `Retry-After` header; undefined for statuses other than 429 and 503. */
export const retryAfter = ({ status, body }: Pick<FailureResponse, 'status' | 'body'>): number | undefined =>
  isTemporary(status) ? body.cooldown : undefined

function expected(definition: ErrorDefinition): FailureResponse {
  const { status } = definition
  const body = bodyOf(isTemporary(status) ? { cooldown: DEFAULT_COOLDOWN, ...definition } : definition)
  return { status, body, isUnexpected: false }
}

/** Maps any error to its status and failure envelope, the same over REST and tRPC. */
export function toFailure(error: unknown): FailureResponse {
  const cause = error instanceof TRPCError && error.cause ? error.cause : error
  if (cause instanceof AppError) return expected(cause.definition)
  const issues = issuesOf(error)
  if (issues) {
    const errors = fieldErrors(issues)
    const message = errors.map(({ msg }) => msg).join(', ')
    const { template, params } = errors.length === 1 ? errors[0]! : {}
    return {
      ...expected(appErrors.validation),
      body: { ...bodyOf(appErrors.validation), message, ...(template !== undefined && { template, params }), errors },
    }
  }
  const definition = databaseErrorOf(cause) ?? errorOfStatus(error)
  if (definition) return expected(definition)
  return { ...expected(appErrors.internal), isUnexpected: true }
}
