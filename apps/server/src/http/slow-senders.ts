import type { IncomingMessage } from 'node:http'
import { appErrors, withMessage } from '@community/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import { sendFailure } from './envelope.ts'
import { measureRates, MINIMUM_RATE } from './minimum-rate.ts'

const tooSlow = withMessage(appErrors.unavailable, 'The request arrived too slowly. Please try again.')

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Responds 503 to clients that send a body too slowly, and disconnects them. An upload over a slow line may take as long as it needs. */
export function disconnectSlowSenders(app: FastifyInstance, rate = MINIMUM_RATE): void {
  const rates = measureRates<IncomingMessage>(rate)
  const replies = new Map<IncomingMessage, FastifyReply>()
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!hasBody(raw)) return
    replies.set(raw, reply)
    raw.once('close', () => {
      replies.delete(raw)
      rates.forget(raw)
    })
  })
  const check = () => {
    for (const [request, reply] of replies) {
      const { socket } = request
      if (request.complete || !rates.isTooSlow(request, socket.bytesRead)) continue
      app.log.info(
        { event: 'request.sent_too_slowly', address: socket.remoteAddress },
        'disconnected a client that sent too slowly',
      )
      if (!reply.sent) sendFailure(reply, new AppError(tooSlow))
      socket.destroySoon()
    }
  }
  const timer = setInterval(check, rate.checkIntervalMs)
  timer.unref()
  app.server.once('close', () => clearInterval(timer))
}
