import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { appErrors } from '@community/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { SetHeaders } from './security-headers.ts'
import { AppError } from '../errors.ts'
import { retryAfter, toFailure } from './failure.ts'

/** Node's error codes for requests that it cannot parse, or that arrive too slowly. */
const ERRORS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(appErrors.tooLarge),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(appErrors.unavailable),
}

/** Responds to an invalid HTTP request with the headers and the envelope of any other response. Node provides only the socket. */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { setHeaders, log }: { setHeaders: SetHeaders; log: FastifyBaseLogger },
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  log.trace({ err: error }, 'invalid HTTP request')
  const { status, body } = toFailure(ERRORS[error.code ?? ''] ?? { statusCode: 400 })
  const requestId = randomUUID()
  const text = JSON.stringify({ ...body, requestId })
  const seconds = retryAfter({ status, body })
  const request = new IncomingMessage(socket)
  const response = new ServerResponse(request)
  setHeaders(response, requestId)
  const headers = {
    ...response.getHeaders(),
    ...(seconds !== undefined && { 'retry-after': seconds }),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
  socket.destroy(error)
}
