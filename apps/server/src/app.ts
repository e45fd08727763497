import cookies from '@fastify/cookie'
import { appErrors, contract } from '@community/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { externalSignIn } from './auth/external-sign-in.ts'
import type { Deps } from './context.ts'
import { AppError } from './errors.ts'
import { recordMethods } from './http/allowed-methods.ts'
import { registerCors } from './http/cors.ts'
import { contextFactory } from './http/create-context.ts'
import { createServer, type Logger } from './http/create-server.ts'
import { sendFailure } from './http/envelope.ts'
import { createClients } from './http/rate-limit-client.ts'
import { createReadLimit } from './http/read-limit.ts'
import { rejectEarly } from './http/reject-early.ts'
import { createRequestLimits } from './http/request-limits.ts'
import { createResponseCache, databaseVersion } from './http/response-cache.ts'
import { createSecurityHeaders } from './http/security-headers.ts'
import { disconnectSlowReaders } from './http/slow-readers.ts'
import { disconnectSlowSenders } from './http/slow-senders.ts'
import { registerStaticFiles, type WebFiles } from './http/static-files.ts'
import { createLive } from './live/live.ts'
import type { LiveLoad } from './observability/live-metrics.ts'
import { logClientDisconnects } from './observability/unexpected-errors.ts'
import { unsubscribeRoutes } from './notifications/unsubscribe-routes.ts'
import { registerDocs } from './rest/docs-on-demand.ts'
import { restTransport } from './rest/plugin.ts'
import { MAX_BATCH_SIZE, trpcTransport } from './trpc/plugin.ts'
import { createProcedures } from './trpc/procedures.ts'
import { router } from './trpc/router.ts'
import { fileRoutes } from './uploads/file-routes.ts'

interface AppOptions {
  /** The built web app; undefined serves the API only. */
  web?: WebFiles | undefined
  logger?: Logger
  /** Aborted when the process starts shutting down; readiness then reports 503. */
  shutdownSignal?: AbortSignal
  /** Whether the database is migrated. Until then every route but liveness is 503. */
  isReady?: () => boolean
  /** Called after each response. */
  onResponse?: (request: FastifyRequest, reply: FastifyReply) => void
  /** Called once with the function that returns the load of the live streams. */
  onLive?: (load: () => LiveLoad) => void
}

/** Builds the server from its dependencies, without listening. */
export async function buildApp(
  deps: Deps,
  { web, logger, shutdownSignal, isReady = () => true, onResponse, onLive }: AppOptions = {},
): Promise<FastifyInstance> {
  const { config } = deps
  const setHeaders = createSecurityHeaders(config.appUrl)
  const app = createServer(config, setHeaders, logger)
  deps.tracing?.traceRequests(app)
  app.addHook('onRequest', async (request, reply) => setHeaders(reply.raw, request.id))
  disconnectSlowSenders(app)
  await registerCors(app, config)
  rejectEarly(app, config, isReady)
  logClientDisconnects(app)
  disconnectSlowReaders(app.server, app.log)
  if (onResponse) app.addHook('onResponse', async (request, reply) => onResponse(request, reply))
  const live = createLive(deps)
  onLive?.(live.load)
  app.addHook('onResponse', async ({ method }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 400) live.announce()
  })
  const methodsOf = recordMethods(app)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '')
    if (methods.length === 0) return sendFailure(reply, new AppError(appErrors.notFound))
    return sendFailure(reply.header('allow', methods.join(', ')), new AppError(appErrors.methodNotAllowed))
  })

  const clients = createClients()
  const readLimit = createReadLimit(config, clients)
  const cache = createResponseCache(() => databaseVersion(deps.db))
  const transport = {
    procedures: createProcedures(contract, router, cache),
    createContext: contextFactory(deps, clients, readLimit),
    requestLimits: createRequestLimits({ contract, config, clients, readLimit, maxBatchSize: MAX_BATCH_SIZE }),
  }
  await app.register(cookies)
  registerDocs(app, config)
  await app.register(trpcTransport, transport)
  await app.register(restTransport, { ...transport, deps, live, clients, readLimit, shutdownSignal, prefix: '/api' })
  const { limitFirstQuery } = transport.requestLimits
  await app.register(externalSignIn, { deps, limitFirstQuery })
  await app.register(unsubscribeRoutes, { deps })
  await app.register(fileRoutes, { deps, limitFirstQuery })
  if (web) registerStaticFiles(app, web)
  return app
}
