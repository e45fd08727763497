import { appErrors } from '@community/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { emailKey } from '../auth/email-key.ts'
import type { CreateContext, Deps, SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { assertSession } from '../personal-tokens/assert-scope.ts'
import { downloadHeaders } from './download-headers.ts'
import { READ_COST } from '../http/read-limit.ts'
import { openDownload } from './open-download.ts'

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

  app.get('/users/export', { exposeHeadRoute: false }, async (request, reply) => {
    const ctx = await requireSession(request, reply)
    const { id, email } = ctx.user
    const archive = await openDownload(deps, ctx, [request, reply], {
      limiter,
      cost: READ_COST.export,
      async open() {
        // Loaded when needed, because it writes ZIP archives.
        const { personalArchive } = await import('./personal-archive.ts')
        return personalArchive(deps, { id, email, emailKey: emailKey(email) })
      },
    })
    logSecurityEvent(ctx, 'auth.data_exported')
    return reply.headers(downloadHeaders('application/zip', deps.config.appName, '.zip')).send(archive)
  })
}
