import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@community/contract'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Config } from '../config.ts'
import { normalizeForwardedFor } from './client-ip.ts'
import { handleClientError } from './client-errors.ts'
import { sendFailure } from './envelope.ts'
import { limitPipelining, PIPELINED_MAX } from './pipelining.ts'
import type { SetHeaders } from './security-headers.ts'
import { WITHOUT_SCHEMAS } from './without-schemas.ts'

/** Characters of a decoded parameter of a path. */
export const PATH_PARAMETER_LENGTH_MAX = 300

/** Milliseconds without a byte in either direction; between requests `keepAliveTimeout` applies instead. */
const IDLE_TIMEOUT_MS = 30_000
const HTTP_OPTIONS: http.ServerOptions = {
  requireHostHeader: false,
  // Node's default is 30 s.
  connectionsCheckingInterval: 5000,
  // In which a request's headers must arrive.
  headersTimeout: 30_000,
  // In which the whole request must arrive; a file of 10 MiB takes 17.5 minutes at the minimum rate.
  requestTimeout: 20 * 60_000,
  // Longer than a load balancer keeps idle connections (60 s), so that none sends a request on a connection that is being closed.
  keepAliveTimeout: 72_000,
}

export type Logger = FastifyServerOptions['loggerInstance'] | boolean

/** Creates the Fastify server. Requests that Fastify or Node reject before routing also get the security headers and the envelope. */
export function createServer(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  setHeaders: SetHeaders,
  logger: Logger = false,
): FastifyInstance {
  const logExcess = ({ remoteAddress }: Socket) =>
    app.log.info(
      { event: 'request.pipelined', address: remoteAddress },
      `disconnected a client with more than ${PIPELINED_MAX} requests in flight`,
    )
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
    serverFactory: (listener) =>
      http.createServer(HTTP_OPTIONS, limitPipelining(listener, logExcess)).setTimeout(IDLE_TIMEOUT_MS),
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
    // The `rejectEarly` hook responds while the server closes.
    return503OnClosing: false,
  })
  // RFC 9110 defines only 100-continue; ignore other expectations instead of failing the request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  return app
}
