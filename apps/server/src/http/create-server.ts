import { randomUUID } from 'node:crypto'
import { limits } from '@community/contract'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Config } from '../config.ts'
import { normalizeForwardedFor } from './client-ip.ts'
import { handleClientError } from './client-errors.ts'
import { sendFailure } from './envelope.ts'
import type { SetHeaders } from './security-headers.ts'
import { WITHOUT_SCHEMAS } from './without-schemas.ts'

/** Characters of a decoded parameter of a path. */
export const PATH_PARAMETER_LENGTH_MAX = 300

/** Milliseconds in which a request's headers must arrive. */
const HEADERS_TIMEOUT_MS = 30_000
/** Milliseconds in which the whole request must arrive; a file of 10 MiB takes 17.5 minutes at the minimum rate. */
const REQUEST_TIMEOUT_MS = 20 * 60_000

export type Logger = FastifyServerOptions['loggerInstance'] | boolean

/** Creates the Fastify server. Requests that Fastify or Node reject before routing also get the security headers and the envelope. */
export function createServer(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  setHeaders: SetHeaders,
  logger: Logger = false,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...(typeof logger === 'object' ? { loggerInstance: logger } : { logger }),
    bodyLimit: limits.JSON_BODY_BYTES_MAX,
    trustProxy,
    // Runs before Fastify reads the client's address for the log.
    rewriteUrl(request) {
      if (trustProxy) normalizeForwardedFor(request)
      return request.url ?? '/'
    },
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 30_000,
    forceCloseConnections: 'idle',
    schemaController: WITHOUT_SCHEMAS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    // Malformed URLs reach neither hooks nor the error handler.
    frameworkErrors: (error, request, reply) => {
      setHeaders(reply.raw, request.id)
      // Its body is not measured by `disconnectSlowSenders`.
      sendFailure(reply.header('connection', 'close'), error)
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, { setHeaders, log: app.log }),
    // Node's default check interval is 30 s.
    http: { requireHostHeader: false, connectionsCheckingInterval: 5000, headersTimeout: HEADERS_TIMEOUT_MS },
    // The `rejectEarly` hook responds while the server closes.
    return503OnClosing: false,
  })
  // RFC 9110 defines only 100-continue; ignore other expectations instead of failing the request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  return app
}
