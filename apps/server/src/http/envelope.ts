import type { FastifyReply } from 'fastify'
import { retryAfter, toFailure } from './failure.ts'
import { logUnexpectedError } from '../observability/unexpected-errors.ts'

export interface Success<T> {
  success: true
  message: string
  data: T
}

export const success = <T>(message: string, data: T): Success<T> => ({ success: true, message, data })

/** The same around data that is JSON already. */
export const successFromJson = (message: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":`), data, Buffer.from('}')])

/** Sends an error as the envelope of a failure, for no cache to keep; `Retry-After` comes with every 429 and 503. */
export function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body, isUnexpected } = toFailure(error)
  if (isUnexpected) logUnexpectedError(reply.request, error)
  const seconds = retryAfter({ status, body })
  if (seconds !== undefined) void reply.header('retry-after', seconds)
  void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** `Retry-After` of a tRPC answer whose calls, one or a batch, were all refused for now: the longest of their waits. */
export function retryAfterHeaders(errors: readonly unknown[], calls: number): Record<string, string> {
  const waits = errors.map((error) => retryAfter(toFailure(error)) ?? 0)
  if (waits.length === 0 || waits.length < calls || waits.includes(0)) return {}
  return { 'retry-after': String(Math.max(...waits)) }
}
