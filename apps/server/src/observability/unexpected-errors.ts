import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onResponseFinished } from '../http/response-finished.ts'

/** What reading from a client or writing to it fails with once the client is gone. */
const HANG_UP_CODES = new Set([
  'ABORT_ERR',
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])

const hasHungUp = ({ raw: { socket, readableAborted } }: FastifyRequest): boolean =>
  readableAborted || socket.destroyed || socket.writableEnded

const isHangUp = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    HANG_UP_CODES.has((error as NodeJS.ErrnoException).code ?? '') ||
    isHangUp(error.cause))

/** Logs an error that nobody expected, unless it is only that the client is gone: `logClientDisconnects` has a line for that. */
export function logUnexpectedError(request: FastifyRequest, error: unknown): void {
  if (!(hasHungUp(request) && isHangUp(error))) request.log.error({ err: error }, 'unexpected error')
}

/** Logs each request whose client hangs up before all of the answer is out. */
export function logClientDisconnects(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    onResponseFinished(request, reply, () => {
      if (!reply.raw.writableFinished) request.log.info({ event: 'request.aborted' }, 'the client hung up')
    })
    done()
  })
}
