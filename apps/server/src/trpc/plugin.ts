import { type AppRouter, appErrors, contract, limits } from '@community/contract'
import type { TRPCError } from '@trpc/server'
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CreateContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { retryAfterHeaders } from '../http/envelope.ts'
import { malformedRequest, toFailure } from '../http/failure.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { addResponseTimeout } from '../http/response-timeout.ts'
import { removeDocumentHeaders } from '../http/security-headers.ts'
import { logUnexpectedError } from '../observability/unexpected-errors.ts'
import { auditRead } from '../personal-tokens/audit-reads.ts'
import { toTRPCError } from './errors.ts'
import type { Procedures } from './procedures.ts'
import { registerQueryHandler, rejectStreams } from './query-handler.ts'
import { router } from './router.ts'

/** Procedures in one tRPC request, at most. */
export const MAX_BATCH_SIZE = 10

const AUTH_MUTATIONS = new Set(
  Object.entries(contract.auth).flatMap(([name, { method }]) => (method === 'GET' ? [] : [`auth.${name}`])),
)

export interface TransportOptions {
  procedures: Procedures
  createContext: CreateContext
  requestLimits: RequestLimits
}

/** Serves the procedures over tRPC under `/trpc`. */
export const trpcTransport: FastifyPluginAsync<TransportOptions> = async (app, options) => {
  const { procedures, createContext, requestLimits } = options
  addResponseTimeout(app)
  requestLimits.addHooks(app)
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  app.addHook(
    'onRequest',
    async ({ method, headers: { 'content-type': type, 'sec-fetch-dest': destination } }, reply) => {
      // Browsers ignore these headers on responses to `fetch`.
      if (destination === 'empty') removeDocumentHeaders(reply.raw)
      // The adapter builds a Fetch API request, which rejects TRACE with an error of its own.
      if (method === 'TRACE') throw new AppError(appErrors.notFound)
      // The adapter would pass multipart bodies through without a size limit.
      if (type !== undefined && !/^\s*application\/json\s*(;|$)/i.test(type))
        throw new AppError(appErrors.wrongContentType)
    },
  )
  const onError = ({ error, req }: { error: TRPCError; req: FastifyRequest }) => {
    if (toFailure(error).isUnexpected) logUnexpectedError(req, error.cause ?? error)
  }
  rejectStreams(app)
  registerQueryHandler(app, {
    contract,
    procedures,
    createContext,
    requestLimits,
    maxBatchSize: MAX_BATCH_SIZE,
    responseHeaders: retryAfterHeaders,
    onError,
  })
  await app.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router,
      createContext: async ({ req, res, info: { calls, type } }) => {
        const isBatch = calls.length > 1
        // Rate limits on sign-in count requests, so auth mutations must not be batched.
        const hasAuthMutation = calls.some(({ path }) => AUTH_MUTATIONS.has(path))
        // A key is for one write, and the procedures of a batch share the context that holds it.
        const hasIdempotencyKey = req.headers['idempotency-key'] !== undefined
        if (isBatch && (hasAuthMutation || hasIdempotencyKey)) throw toTRPCError(new AppError(malformedRequest))
        const ctx = await createContext(req, res)
        if (type === 'query') await Promise.all(calls.map(({ path }) => auditRead(ctx, path)))
        return { ...ctx, runProcedure: requestLimits.procedureRunner(req) }
      },
      maxBodySize: limits.JSON_BODY_BYTES_MAX,
      maxBatchSize: MAX_BATCH_SIZE,
      responseMeta: ({ errors, paths }) => ({ headers: retryAfterHeaders(errors, paths?.length ?? 0) }),
      onError,
    },
  } satisfies FastifyTRPCPluginOptions<AppRouter>)
}
