import type { Failure, Message } from '@community/contract'
import { TRPCClientError } from '@trpc/client'
import { msg } from './i18n.ts'

export const TIMEOUT_TEXT = msg('Request timeout - please check your connection and try again')
export const UPLOAD_TIMEOUT_TEXT = msg('Upload timeout - please check your connection and try again')
export const NETWORK_TEXT = msg(
  'Network error - please check your internet connection and ensure the backend server is running',
)
export const FORMAT_TEXT = msg('Invalid response format')

type FieldError = NonNullable<Failure['errors']>[number]

/** What is wrong with one field. */
export const fieldMessage = ({ msg: message, template, params }: FieldError): Message => ({
  message,
  template,
  params,
})

/** What went wrong, however it went wrong: the server's refusal, or the way there. Show it with <ServerText>. */
export interface ClientFailure extends Message {
  /** 'refused': the server answered. 'timeout' and 'network': it did not. 'format': what came was no answer of ours. */
  kind: 'refused' | 'timeout' | 'network' | 'format'
  /** The contract's stable word, for example TEAM_FULL. */
  code?: string
  errors: FieldError[]
  /** Seconds. */
  cooldown?: number
  expired?: boolean
  invalid?: boolean
  proofOfWork?: Failure['proofOfWork']
}

/** A request that got no usable answer. */
export class TransportError extends Error {
  readonly kind: 'timeout' | 'network' | 'format'
  constructor(kind: 'timeout' | 'network' | 'format', message: string) {
    super(message)
    this.name = 'TransportError'
    this.kind = kind
  }
}

/** A refusal that did not come through tRPC: an upload's, one of the page itself, or of a request before its calls were read. */
export class RefusedError extends Error {
  readonly body: Partial<ClientFailure>
  constructor(message: string, body: Partial<ClientFailure>) {
    super(message)
    this.name = 'RefusedError'
    this.body = body
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function transportOf(error: unknown): TransportError | null {
  if (error instanceof TransportError) return error
  return error instanceof Error && error.cause instanceof TransportError ? error.cause : null
}

function refusalOf(error: unknown): RefusedError | null {
  if (error instanceof RefusedError) return error
  return error instanceof Error && error.cause instanceof RefusedError ? error.cause : null
}

/** The refusal that an answer's body is; null when it is none. */
export function refusalIn(body: unknown): RefusedError | null {
  if (!isRecord(body) || body['success'] !== false) return null
  const { message, code } = body
  if (typeof message !== 'string' || typeof code !== 'string') return null
  return new RefusedError(message, body)
}

/** Reads any error of a query, a mutation or an upload. */
export function failureOf(error: unknown): ClientFailure {
  const transport = transportOf(error)
  if (transport) return { kind: transport.kind, message: transport.message, errors: [] }
  const refused = refusalOf(error)
  if (refused) return { kind: 'refused', errors: [], ...refused.body, message: refused.message }
  const data: unknown = error instanceof TRPCClientError ? error.data : null
  if (error instanceof Error && isRecord(data) && isRecord(data['failure'])) {
    // The contract types `data.failure`; this is where its type is given back.
    const failure = data['failure'] as unknown as Omit<ClientFailure, 'kind' | 'errors'> & Partial<ClientFailure>
    return { ...failure, kind: 'refused', errors: failure.errors ?? [] }
  }
  return { kind: 'format', message: error instanceof Error && error.message ? error.message : FORMAT_TEXT, errors: [] }
}

/** Of a server that is away or at a loss: their words say nothing about what was asked. */
const SERVER_ERROR_CODES = new Set(['UNAVAILABLE', 'INTERNAL'])
export const isServerError = ({ code = '' }: ClientFailure): boolean => SERVER_ERROR_CODES.has(code)

/** May the same go through a moment later? The way there failed, the house was in trouble, or it was asked too often. */
export const isTransient = (failure: ClientFailure): boolean =>
  failure.kind !== 'refused' || isServerError(failure) || failure.code === 'TOO_MANY_REQUESTS'
