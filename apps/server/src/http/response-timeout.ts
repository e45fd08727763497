import { faults } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { sendFailure } from './envelope.ts'
import { Refusal } from '../errors.ts'
import { whenOver } from './response-finished.ts'

/** Milliseconds from a request's last byte to its answer: clients wait ten seconds. */
export const ANSWER_WITHIN = 7500

/**
 * Answers 503 to what takes longer, as where a database is far away and each of many statements is slow. What the call does
 * goes on and may take effect: an Idempotency-Key tells its retry.
 */
export function answerInTime(app: FastifyInstance, within = ANSWER_WITHIN): void {
  app.addHook('preHandler', async (request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) sendFailure(reply, new Refusal(faults.unavailable))
    }, within)
    whenOver(request, reply, () => clearTimeout(timer))
  })
}
