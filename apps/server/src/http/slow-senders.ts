import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { appErrors, limits, withMessage } from '@community/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import { sendFailure } from './envelope.ts'
import { MINIMUM_RATE, watchRates } from './minimum-rate.ts'
import { onConnectionClosed } from './response-finished.ts'

const sentTooSlowly = withMessage(appErrors.unavailable, 'The request arrived too slowly. Please try again.')

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Bytes of a rejected body that are read and discarded, because some clients read the response only after sending everything. */
const DISCARDED_BYTES_MAX = limits.UPLOAD_FILES_MAX * limits.UPLOAD_BYTES_MAX + limits.JSON_BODY_BYTES_MAX

/**
 * Responds 503 to clients that send a body too slowly, and disconnects them. Also disconnects clients that send more than
 * `DISCARDED_BYTES_MAX` after their response. The total time is not limited: an upload over a slow line may take minutes.
 */
export function disconnectSlowSenders(app: FastifyInstance, rate = MINIMUM_RATE): void {
  const rates = watchRates<IncomingMessage>(rate)
  const replies = new Map<IncomingMessage, FastifyReply>()
  /** `socket.bytesRead` at the first check after the response. */
  const bytesAtResponse = new WeakMap<IncomingMessage, number>()
  app.addHook('onRequest', async ({ raw }, reply) => {
    // `inject` has no socket.
    if (!hasBody(raw) || !(raw.socket instanceof Socket)) return
    replies.set(raw, reply)
    // Once the response has been sent, Node aborts no request whose connection closes: what reads its body would wait for ever.
    const removeListener = onConnectionClosed(raw.socket, () => void raw.destroy())
    raw.once('close', () => {
      removeListener()
      replies.delete(raw)
      rates.forget(raw)
    })
  })
  const exceedsDiscardLimit = (request: IncomingMessage, reply: FastifyReply): boolean => {
    const { bytesRead } = request.socket
    if (reply.sent && !bytesAtResponse.has(request)) bytesAtResponse.set(request, bytesRead)
    return bytesRead - (bytesAtResponse.get(request) ?? bytesRead) > DISCARDED_BYTES_MAX
  }
  const disconnect = ({ socket }: IncomingMessage, reply: FastifyReply, event: string, message: string) => {
    app.log.info({ event, address: socket.remoteAddress }, message)
    if (reply.sent) socket.destroySoon()
    // The header makes Node close the connection, so that the rest of the body is not read.
    else sendFailure(reply.header('connection', 'close'), new AppError(sentTooSlowly))
  }
  const check = () => {
    for (const [request, reply] of replies) {
      const { socket } = request
      // Its client cannot send while nothing reads the body, as during the wait for an upload's turn.
      if (request.complete || !request.readableFlowing) rates.forget(request)
      else if (exceedsDiscardLimit(request, reply))
        disconnect(request, reply, 'request.discarded', 'disconnected a client that kept sending a rejected body')
      else if (rates.check(request, socket.bytesRead))
        disconnect(request, reply, 'request.sent_too_slowly', 'disconnected a client that sent too slowly')
    }
  }
  const timer = setInterval(check, rate.checkIntervalMs)
  timer.unref()
  app.server.once('close', () => clearInterval(timer))
}
