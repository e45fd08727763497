import type { FastifyReply } from 'fastify'
import { toFailure } from './errors.ts'

export interface Success<T> {
  success: true
  message: string
  data: T
}

export const success = <T>(message: string, data: T): Success<T> => ({ success: true, message, data })

/** Sends an error as the envelope of a failure, for no cache to keep; `Retry-After` comes with a cooldown. */
export function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body, unexpected } = toFailure(error)
  if (unexpected) reply.log.error({ err: error }, 'unexpected error')
  if (body.cooldown !== undefined && (status === 429 || status === 503)) void reply.header('retry-after', body.cooldown)
  void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
