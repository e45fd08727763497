import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { appErrors } from '@community/contract'
import { isDatabaseUnavailable } from '@community/db'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthenticatedContext, Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import type { ConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { onResponseFinished } from '../http/response-finished.ts'
import { StorageUnavailable } from '../integrations/storage.ts'

interface Download {
  /** In units of the read budget. */
  cost: number
  limiter: ConcurrencyLimiter
  /** Called once the limiter admits the caller. */
  open: () => Readable | Promise<Readable>
}

/**
 * The stream of a download, once it has its first bytes: a later error can only abort the response. It is closed when the response
 * ends, also by a client that disconnects.
 */
export async function openDownload(
  { log, config }: Pick<Deps, 'log' | 'config'>,
  ctx: AuthenticatedContext,
  [request, reply]: [FastifyRequest, FastifyReply],
  { limiter, cost, open }: Download,
): Promise<Readable> {
  const { release } = await limiter.acquire(ctx.user.id)
  const finished = new AbortController()
  onResponseFinished(request, reply, () => {
    release()
    finished.abort()
  })
  const body = await open()
  body.on('error', (err) => log.warn({ err, reqId: request.id }, 'a data export was aborted'))
  finished.signal.addEventListener('abort', () => body.destroy(), { once: true })
  if (finished.signal.aborted) body.destroy()
  await once(body, 'readable', { signal: finished.signal }).catch((error: unknown) => {
    const isUnavailable = error instanceof StorageUnavailable || isDatabaseUnavailable(error) || finished.signal.aborted
    throw isUnavailable ? new AppError(appErrors.unavailable, { cooldown: 5 }) : error
  })
  // At most half of what a person may read: the page must go on working.
  ctx.chargeRead?.(Math.min(cost, config.readUnits.perUser / 2))
  return body
}
