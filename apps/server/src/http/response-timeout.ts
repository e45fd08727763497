import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { sendFailure } from './envelope.ts'
import { AppError } from '../errors.ts'
import { onResponseFinished } from './response-finished.ts'

/** Milliseconds from a request's last byte to its response. Clients wait ten seconds. */
export const RESPONSE_TIMEOUT_MS = 7500

/**
 * Responds 503 to requests that take longer, as with a slow database. The handler keeps running and may take effect; a retry with the
 * same Idempotency-Key gets its result.
 */
export function addResponseTimeout(app: FastifyInstance, timeoutMs = RESPONSE_TIMEOUT_MS): void {
  app.addHook('preHandler', async (request, reply) => {
    const timer = setTimeout(() => {
      // A download that has begun may take longer.
      if (!reply.sent && !reply.raw.headersSent) sendFailure(reply, new AppError(appErrors.unavailable))
    }, timeoutMs)
    onResponseFinished(request, reply, () => clearTimeout(timer))
  })
}
