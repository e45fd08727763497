import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onResponseFinished } from '../http/response-finished.ts'
import { isEventStream } from '../http/event-path.ts'

/** Error codes of reads and writes on a closed connection. */
const DISCONNECT_CODES = new Set([
  'ABORT_ERR',
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])

const hasDisconnected = ({ raw: { socket, readableAborted } }: FastifyRequest): boolean =>
  readableAborted || socket.destroyed || socket.writableEnded

const isDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    DISCONNECT_CODES.has((error as NodeJS.ErrnoException).code ?? '') ||
    isDisconnect(error.cause))

/** Logs an unexpected error, unless it was caused by the client's disconnect, which `logClientDisconnects` logs. */
export function logUnexpectedError(request: FastifyRequest, error: unknown): void {
  if (!(hasDisconnected(request) && isDisconnect(error))) request.log.error({ err: error }, 'unexpected error')
}

/** Logs each request whose client disconnects before the response is sent. */
export function logClientDisconnects(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // An event stream ends only when its client disconnects.
    if (isEventStream(request)) return done()
    onResponseFinished(request, reply, () => {
      if (!reply.raw.writableFinished) request.log.info({ event: 'request.aborted' }, 'client disconnected')
    })
    done()
  })
}
