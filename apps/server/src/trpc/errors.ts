import type { ErrorDefinition, ErrorShape } from '@community/contract'
import { getTRPCErrorFromUnknown, type TRPC_ERROR_CODE_KEY, type TRPCDefaultErrorShape, TRPCError } from '@trpc/server'
import type { Context } from '../context.ts'
import { AppError, databaseErrorOf } from '../errors.ts'
import { toFailure } from '../http/failure.ts'

const TRPC_CODE: Record<ErrorDefinition['status'], TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  // Only for ranges of files, which tRPC does not serve.
  416: 'BAD_REQUEST',
  422: 'UNPROCESSABLE_CONTENT',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

/** The `TRPCError` for any error. An `AppError` or a database error, or one with such a cause, gets the code of its definition. */
export function toTRPCError(error: unknown): TRPCError {
  const trpcError = getTRPCErrorFromUnknown(error)
  const cause = trpcError.cause ?? trpcError
  const definition = cause instanceof AppError ? cause.definition : databaseErrorOf(cause)
  if (!definition) return trpcError
  return new TRPCError({ code: TRPC_CODE[definition.status], message: definition.message, cause })
}

interface FormattedError {
  shape: TRPCDefaultErrorShape
  error: TRPCError
  ctx?: Context | undefined
}

/** An error as clients get it. Without a context the request was rejected before its procedures. */
export function formatError({ shape, error, ctx }: FormattedError): ErrorShape {
  const { body } = toFailure(error)
  const failure = { ...body, ...(ctx && { requestId: ctx.request.id }) }
  return { ...shape, message: body.message, data: { ...shape.data, failure } }
}
