import { randomUUID } from 'node:crypto'
import { type AppRouter, contract, appErrors, limits } from '@community/contract'
import type { TRPCError } from '@trpc/server'
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { adminUseCases } from './admin/router.ts'
import { createSecurityHeaders } from './http/security-headers.ts'
import { addResponseTimeout } from './http/response-timeout.ts'
import { externalSignIn } from './auth/external-sign-in.ts'
import { authUseCases } from './auth/router.ts'
import { challengesUseCases } from './challenges/router.ts'
import { normalizeForwardedFor } from './http/client-address.ts'
import { answerClientError } from './http/client-errors.ts'
import type { Deps } from './context.ts'
import { contextFactory } from './http/create-context.ts'
import { sendFailure, waitingHeaders } from './http/envelope.ts'
import { malformedRequest, AppError, toFailure } from './errors.ts'
import { createRequestLimits } from './http/request-limits.ts'
import { createClients } from './http/rate-limit-client.ts'
import { createReadLimit } from './http/read-limit.ts'
import { createResponseCache, databaseVersion } from './http/response-cache.ts'
import { proceduresOf } from './trpc/procedures.ts'
import { acceptJsonOnly, registerRestRoutes } from './rest/routes.ts'
import { rolesUseCases } from './roles/router.ts'
import { submissionsUseCases } from './submissions/router.ts'
import { healthRoutes } from './observability/health-routes.ts'
import { systemUseCases } from './system/router.ts'
import { teamsUseCases } from './teams/router.ts'
import { implement } from './trpc/init.ts'
import { disconnectSlowReaders } from './http/slow-readers.ts'
import { registerQueryHandler, rejectStreams } from './trpc/query-handler.ts'
import { fileRoutes } from './uploads/file-routes.ts'
import { uploadRoutes } from './uploads/upload-routes.ts'
import { logClientDisconnects, logUnexpected } from './observability/unexpected-errors.ts'
import { usersUseCases } from './users/router.ts'
import { type WebFiles, registerStaticFiles } from './http/static-files.ts'
import { hasTooManyPipelined } from './http/response-finished.ts'

const router = implement(contract, {
  auth: authUseCases,
  users: usersUseCases,
  roles: rolesUseCases,
  teams: teamsUseCases,
  challenges: challengesUseCases,
  submissions: submissionsUseCases,
  admin: adminUseCases,
  system: systemUseCases,
})

export interface AppOptions {
  /** The built web app; left out where only the API is wanted. */
  web?: WebFiles | undefined
  logger?: FastifyServerOptions['loggerInstance'] | boolean
  /** Aborted when the process is about to end: the readiness call says so first. */
  leaving?: AbortSignal
  /** Is the database up to date? Until then only liveness is answered, and all else is 503. */
  isReady?: () => boolean
  /** Told of each request once its answer is out. */
  onAnswered?: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Calls that one tRPC request may hold. */
const MAX_BATCH_SIZE = 10

/** So long may a request take to arrive, its head and its body. */
const SENDING_MS = 30_000

/** The document and its pages are a server of their own, built when somebody first asks: most starts never need them. */
function docsOnDemand(app: FastifyInstance, appName: string): void {
  let docs: Promise<FastifyInstance> | undefined
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    docs ??= import('./rest/docs-ui.ts').then(({ createDocsServer }) => createDocsServer(appName))
    const { routing } = await docs
    reply.hijack()
    routing(request.raw, reply.raw)
  }
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) app.get(url, answer)
}

/** Builds the server around its dependencies; it does not listen yet. */
export async function buildApp(
  deps: Deps,
  { web, logger, leaving, isReady = () => true, onAnswered }: AppOptions = {},
): Promise<FastifyInstance> {
  const setHeaders = createSecurityHeaders(deps.config.appUrl)
  const app: FastifyInstance = Fastify({
    ...(typeof logger === 'object' ? { loggerInstance: logger } : { logger: logger ?? false }),
    bodyLimit: limits.JSON_BODY_BYTES_MAX,
    trustProxy: deps.config.trustProxy,
    // The first that Fastify calls with a request, before its log line reads the address.
    rewriteUrl(request) {
      if (deps.config.trustProxy) normalizeForwardedFor(request)
      return request.url ?? '/'
    },
    genReqId: () => randomUUID(),
    requestTimeout: SENDING_MS,
    connectionTimeout: 30_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // What Fastify and Node would answer by themselves, in their own words and without our headers:
    // malformed addresses, which never reach an error handler, nor a hook;
    frameworkErrors: (error, request, reply) => {
      setHeaders(reply.raw, request.id)
      sendFailure(reply, error)
    },
    // what is no HTTP;
    clientErrorHandler: (error, socket) => answerClientError(error, socket, { setHeaders, log: app.log }),
    // requests without a host, and those that come while the server stops. Node looks every half minute for who takes too
    // long to send one, unless told otherwise; and it takes the shorter of its two times for the head and the longer for all.
    http: { requireHostHeader: false, connectionsCheckingInterval: 5000, headersTimeout: SENDING_MS },
    return503OnClosing: false,
  })
  const clients = createClients()
  const readLimit = createReadLimit(deps.config, clients)
  const admission = createRequestLimits({
    contract,
    config: deps.config,
    clients,
    readLimit,
    maxBatchSize: MAX_BATCH_SIZE,
  })
  const contextOf = contextFactory(deps, clients, readLimit)
  const procedures = proceduresOf(
    contract,
    router,
    createResponseCache(() => databaseVersion(deps.db)),
  )
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // Nobody sends other expectations than 100-continue; they may be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHook('onRequest', async (request, reply) => {
    setHeaders(reply.raw, request.id)
    if (isClosing || (!isReady() && request.routeOptions.url !== '/api/health/live'))
      throw new AppError(appErrors.unavailable)
    if (hasTooManyPipelined(request, reply)) throw new AppError(appErrors.unavailable)
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion !== '1.0') throw new AppError(malformedRequest)
    const isSafe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (!isSafe && headers['sec-fetch-site'] === 'cross-site') throw new AppError(appErrors.crossSite)
  })
  logClientDisconnects(app)
  disconnectSlowReaders(app.server, app.log)
  if (onAnswered) app.addHook('onResponse', async (request, reply) => onAnswered(request, reply))
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, new AppError(appErrors.notFound)))

  docsOnDemand(app, deps.config.appName)
  await app.register(async (trpc) => {
    addResponseTimeout(trpc)
    admission.guard(trpc)
    trpc.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    // The plugin lets multipart forms through unread and unbounded; no procedure takes one.
    trpc.addHook('onRequest', async ({ method, headers: { 'content-type': type } }) => {
      // The plugin makes a request of the Fetch standard of each, which knows no TRACE.
      if (method === 'TRACE') throw new AppError(appErrors.notFound)
      if (type !== undefined && !/^\s*application\/json\s*(;|$)/i.test(type))
        throw new AppError(appErrors.wrongContentType)
    })
    const onError = ({ error, req }: { error: TRPCError; req: FastifyRequest }) => {
      if (toFailure(error).unexpected) logUnexpected(req, error.cause ?? error)
    }
    rejectStreams(trpc)
    registerQueryHandler(trpc, {
      router,
      procedures,
      contextOf,
      admission,
      maxBatchSize: MAX_BATCH_SIZE,
      headersOf: waitingHeaders,
      onError,
    })
    await trpc.register(fastifyTRPCPlugin, {
      prefix: '/trpc',
      trpcOptions: {
        router,
        createContext: async ({ req, res, info }) => {
          // Sign-ins and codes go one by one; who is signed in where may be read with other things.
          const isAuth = info.calls.some(({ path }) => path.startsWith('auth.'))
          if (req.method === 'POST' && info.calls.length > 1 && isAuth) throw new AppError(malformedRequest)
          return { ...(await contextOf(req, res)), runCall: admission.callRunner(req) }
        },
        maxBodySize: limits.JSON_BODY_BYTES_MAX,
        maxBatchSize: MAX_BATCH_SIZE,
        responseMeta: ({ errors, paths }) => ({ headers: waitingHeaders(errors, paths?.length ?? 0) }),
        onError,
      },
    } satisfies FastifyTRPCPluginOptions<AppRouter>)
  })
  await app.register(
    async (api) => {
      acceptJsonOnly(api)
      api.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'))
      await api.register(async (calls) => {
        addResponseTimeout(calls)
        admission.guard(calls)
        registerRestRoutes(calls, contract, procedures, contextOf)
      })
      healthRoutes(api, deps, leaving)
      await api.register(uploadRoutes, { deps, contextOf })
    },
    { prefix: '/api' },
  )
  await app.register(externalSignIn, { deps })
  await app.register(fileRoutes, { deps })
  if (web) registerStaticFiles(app, web)
  return app
}
