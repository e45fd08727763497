import { once } from 'node:events'
import { appErrors } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { emailKey } from '../auth/blacklist.ts'
import type { CreateContext, Deps, SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { READ_COST } from '../http/read-limit.ts'
import { onResponseFinished } from '../http/response-finished.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { assertSession } from '../personal-tokens/assert-scope.ts'
import { contentDisposition } from '../uploads/file-name.ts'
import { personalArchive } from './personal-archive.ts'

/** Downloads that are written at once in this process; each holds one open body of the storage. */
const CONCURRENT_MAX = 20

/** `GET /users/export`: the caller's own data and files as a ZIP archive. */
export const exportRoutes: FastifyPluginAsync<{ deps: Deps; createContext: CreateContext }> = async (
  app,
  { deps, createContext },
) => {
  const limiter = createConcurrencyLimiter({ perClient: 1, max: CONCURRENT_MAX, maxWaitMs: 1000 })

  async function requireSession(request: FastifyRequest, reply: FastifyReply): Promise<SessionContext> {
    const { user, tokenError, ...rest } = await createContext(request, reply)
    if (!user) throw new AppError(tokenError ?? appErrors.notSignedIn)
    const ctx = { ...rest, user, tokenError }
    assertSession(ctx)
    return ctx
  }

  /** Waits for the first bytes, because a later error can only abort the response. */
  async function openArchive({ user }: SessionContext, request: FastifyRequest, reply: FastifyReply) {
    const { release } = await limiter.acquire(user.id)
    const finished = new AbortController()
    const archive = personalArchive(deps, { id: user.id, email: user.email, emailKey: emailKey(user.email) })
    archive.on('error', (err) => deps.log.warn({ err, reqId: request.id }, 'a data export was aborted'))
    onResponseFinished(request, reply, () => {
      release()
      finished.abort()
      archive.destroy()
    })
    await once(archive, 'readable', { signal: finished.signal }).catch((error: unknown) => {
      const isUnavailable = error instanceof StorageUnavailable || finished.signal.aborted
      throw isUnavailable ? new AppError(appErrors.unavailable, { cooldown: 5 }) : error
    })
    return archive
  }

  app.get('/users/export', { exposeHeadRoute: false }, async (request, reply) => {
    const ctx = await requireSession(request, reply)
    const archive = await openArchive(ctx, request, reply)
    // At most half of what a person may read: the page must go on working.
    ctx.chargeRead?.(Math.min(READ_COST.export, deps.config.readUnits.perUser / 2))
    logSecurityEvent(ctx, 'auth.data_exported')
    const name = `${deps.config.appName}-${new Date().toISOString().slice(0, 10)}.zip`
    return reply
      .headers({ 'content-type': 'application/zip', 'content-disposition': contentDisposition('attachment', name) })
      .send(archive)
  })
}
