import { contract } from '@community/contract'
import type { FastifyPluginAsync } from 'fastify'
import type { CreateContext, Deps } from '../context.ts'
import { adminExportRoutes } from '../data-export/admin-export-routes.ts'
import { importPartRoutes } from '../data-export/import-part-routes.ts'
import { exportRoutes } from '../data-export/export-routes.ts'
import type { Clients } from '../http/rate-limit-client.ts'
import type { ReadLimit } from '../http/read-limit.ts'
import { addResponseTimeout } from '../http/response-timeout.ts'
import { eventRoutes } from '../live/event-routes.ts'
import type { Live } from '../live/live.ts'
import { healthRoutes } from '../observability/health-routes.ts'
import type { TransportOptions } from '../trpc/plugin.ts'
import { uploadRoutes } from '../uploads/upload-routes.ts'
import { acceptJsonOnly, registerRestRoutes } from './routes.ts'

interface RestOptions extends TransportOptions {
  deps: Deps
  live: Live
  clients: Clients
  readLimit: ReadLimit
  /** Aborted when the process starts shutting down; readiness then reports 503. */
  shutdownSignal?: AbortSignal | undefined
}

/** Serves the procedures, uploads and health checks over REST; register it with the prefix `/api`. */
export const restTransport: FastifyPluginAsync<RestOptions> = async (app, options) => {
  const { deps, shutdownSignal, procedures, createContext, requestLimits } = options
  acceptJsonOnly(app)
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'no-store')
  })
  await app.register(async (routes) => {
    addResponseTimeout(routes)
    requestLimits.addHooks(routes)
    registerRestRoutes(routes, contract, { procedures, createContext, appUrl: deps.config.appUrl })
    await routes.register(exportRoutes, { deps, createContext })
    await routes.register(adminExportRoutes, { deps, createContext })
  })
  const { live, clients, readLimit } = options
  await app.register(eventRoutes, { live, createContext, clients, readLimit })
  healthRoutes(app, deps, shutdownSignal)
  // They hold no units while a body arrives, which may take long; each has a limit of its own for that.
  const createLimitedContext: CreateContext = (request, reply) =>
    requestLimits.limitFirstQuery(request, reply, () => createContext(request, reply))
  await app.register(uploadRoutes, { deps, createContext: createLimitedContext })
  await app.register(importPartRoutes, { deps, createContext: createLimitedContext })
}
