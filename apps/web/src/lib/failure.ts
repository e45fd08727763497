import type { Failure, Message } from '@community/contract'
import { TRPCClientError } from '@trpc/client'
import { msg } from './i18n.ts'

export const TIMEOUT_TEXT = msg('Request timeout - please check your connection and try again')
export const UPLOAD_TIMEOUT_TEXT = msg('Upload timeout - please check your connection and try again')
export const NETWORK_TEXT = msg(
  'Network error - please check your internet connection and ensure the backend server is running',
)
const FORMAT_TEXT = msg('Invalid response format')

type FieldError = NonNullable<Failure['errors']>[number]

/** The message of a field error. */
export const fieldMessage = ({ msg: message, template, params }: FieldError): Message => ({
  message,
  template,
  params,
})

/** Any failed request: an error of the server, or none of its responses. Show it with <ServerText>. */
export interface ClientFailure extends Message {
  /** 'rejected': the server responded with an error. 'timeout', 'network': no response. 'format': not a response of the API. */
  kind: 'rejected' | 'timeout' | 'network' | 'format'
  /** A code of the contract's error catalogue, such as TEAM_FULL, or of `unreadableResponse`. */
  code?: string
  errors: FieldError[]
  /** Seconds. */
  cooldown?: number
  expired?: boolean
  invalid?: boolean
  proofOfWork?: Failure['proofOfWork']
}

/** A request without a usable response. */
export class TransportError extends Error {
  readonly kind: 'timeout' | 'network' | 'format'
  readonly code: string | undefined
  constructor(kind: 'timeout' | 'network' | 'format', message: string, code?: string) {
    super(message)
    this.name = 'TransportError'
    this.kind = kind
    this.code = code
  }
}

/** The error for a response without a message: INVALID_RESPONSE, or HTTP_ERROR by its status. */
export const unreadableResponse = (status = 200): TransportError =>
  status < 400
    ? new TransportError('format', FORMAT_TEXT, 'INVALID_RESPONSE')
    : new TransportError('format', `HTTP ${status}`, 'HTTP_ERROR')

/** An error of the catalogue that is not a TRPCClientError: of an upload, thrown by the page, or of a whole tRPC request. */
export class AppError extends Error {
  readonly body: Partial<ClientFailure>
  constructor(message: string, body: Partial<ClientFailure>) {
    super(message)
    this.name = 'AppError'
    this.body = body
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function transportOf(error: unknown): TransportError | null {
  if (error instanceof TransportError) return error
  return error instanceof Error && error.cause instanceof TransportError ? error.cause : null
}

function appErrorOf(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  return error instanceof Error && error.cause instanceof AppError ? error.cause : null
}

/** The error in the body of a response; null if it has none. */
export function parseAppError(body: unknown): AppError | null {
  if (!isRecord(body) || body['success'] !== false) return null
  const { message, code } = body
  if (typeof message !== 'string' || typeof code !== 'string') return null
  return new AppError(message, body)
}

/** Reads any error of a query, a mutation or an upload. */
export function failureOf(error: unknown): ClientFailure {
  const transport = transportOf(error)
  if (transport) {
    const { kind, message, code } = transport
    return { kind, message, errors: [], ...(code !== undefined && { code }) }
  }
  const appError = appErrorOf(error)
  if (appError) return { kind: 'rejected', errors: [], ...appError.body, message: appError.message }
  const data: unknown = error instanceof TRPCClientError ? error.data : null
  if (error instanceof Error && isRecord(data) && isRecord(data['failure'])) {
    // The server's error formatter writes it as the contract types it.
    const failure = data['failure'] as unknown as Omit<ClientFailure, 'kind' | 'errors'> & Partial<ClientFailure>
    return { ...failure, kind: 'rejected', errors: failure.errors ?? [] }
  }
  if (error instanceof Error && error.message) return { kind: 'format', message: error.message, errors: [] }
  return failureOf(unreadableResponse())
}

/** The server failed: the message is not about the request. */
const SERVER_ERROR_CODES = new Set(['UNAVAILABLE', 'INTERNAL'])
export const isServerError = ({ code = '' }: ClientFailure): boolean => SERVER_ERROR_CODES.has(code)

/** Whether the same request may succeed later: connection failed, server error or rate limit. */
export const isTransient = (failure: ClientFailure): boolean =>
  failure.kind !== 'rejected' || isServerError(failure) || failure.code === 'TOO_MANY_REQUESTS'

const SESSION_CODES = new Set(['TOKEN_EXPIRED', 'NOT_SIGNED_IN'])
/** Whether the request needed a session that is missing or over. */
export const isSessionError = ({ code = '' }: ClientFailure): boolean => SESSION_CODES.has(code)
