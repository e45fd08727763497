import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { sendFailure } from './envelope.ts'
import { AppError } from '../errors.ts'
import { onResponseFinished } from './response-finished.ts'

/** Milliseconds from a request's last byte to its answer: clients wait ten seconds. */
export const RESPONSE_TIMEOUT_MS = 7500

/**
 * Answers 503 to what takes longer, as where a database is far away and each of many statements is slow. What the call does
 * goes on and may take effect: an Idempotency-Key tells its retry.
 */
export function addResponseTimeout(app: FastifyInstance, within = RESPONSE_TIMEOUT_MS): void {
  app.addHook('preHandler', async (request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) sendFailure(reply, new AppError(appErrors.unavailable))
    }, within)
    onResponseFinished(request, reply, () => clearTimeout(timer))
  })
}
