import type { Language } from '@community/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from './client-info.ts'
import { retryAfter, toFailure } from './failure.ts'
import { isPageRequest, sendNotFoundPage } from './not-found-page.ts'
import { translateFailure } from './translate-failure.ts'
import { logUnexpectedError } from '../observability/unexpected-errors.ts'

export interface Success<T> {
  success: true
  message: string
  data: T
}

export const success = <T>(message: string, data: T): Success<T> => ({ success: true, message, data })

/** A success envelope around data that is already serialized. */
export const successFromJson = (message: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":`), data, Buffer.from('}')])

/** `Accept-Language`, but English over tRPC: the web app translates. Requests rejected before routing have a path, but no route to flag. */
const failureLanguage = ({ url, headers }: FastifyRequest): Language =>
  url.startsWith('/trpc/') ? 'en' : languageOf(headers['accept-language'])

/**
 * Sends an error as a failure envelope in the request's language, not cached, with `WWW-Authenticate` on 401 and `Retry-After` on 429 and
 * 503. A browser that opens a page that does not exist gets a page instead.
 */
export function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body, isUnexpected } = toFailure(error)
  if (isUnexpected) logUnexpectedError(reply.request, error)
  if (status === 404 && isPageRequest(reply.request)) return sendNotFoundPage(reply.request, reply)
  const seconds = retryAfter({ status, body })
  if (seconds !== undefined) void reply.header('retry-after', seconds)
  if (status === 401) void reply.header('www-authenticate', body.expired ? 'Bearer error="invalid_token"' : 'Bearer')
  void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  const text = JSON.stringify({
    ...translateFailure(body, failureLanguage(reply.request)),
    requestId: reply.request.id,
  })
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

/** The `Retry-After` header of a tRPC response, when all its procedures failed temporarily: the longest of their cooldowns. */
export function retryAfterHeaders(errors: readonly unknown[], procedureCount: number): Record<string, string> {
  const cooldowns = errors.map((error) => retryAfter(toFailure(error)) ?? 0)
  if (cooldowns.length === 0 || cooldowns.length < procedureCount || cooldowns.includes(0)) return {}
  return { 'retry-after': String(Math.max(...cooldowns)) }
}
