import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no sign-in: pages of every origin may read its responses. */
    isPublic?: boolean
    /** False: no CORS headers for any origin. */
    cors?: false
  }
}

/** Headers of responses that scripts of other origins may read, besides those that browsers always show. */
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
]
/** Headers of requests that need no token, beyond those that need no preflight. */
const VISITOR_HEADERS = ['If-None-Match']
const ALL_HEADERS = [
  ...VISITOR_HEADERS,
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'Trpc-Accept',
  'X-Proof-Of-Work',
]
const COMMON = { exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400, strictPreflight: false }
const FOR_VISITORS = { ...COMMON, methods: ['GET', 'HEAD'], allowedHeaders: VISITOR_HEADERS }
const FOR_ALLOWED = { ...COMMON, methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], allowedHeaders: ALL_HEADERS }

/** For routes of pages and of sign-ins that use cookies. */
export const NO_CORS = { config: { cors: false } } as const

/** Whether `CORS_ORIGINS` names the request's origin. */
export const isAllowedOrigin = ({ corsOrigins }: Pick<Config, 'corsOrigins'>, { headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && (corsOrigins.includes('*') || corsOrigins.includes(headers.origin))

/** Lets pages of every origin read a response that turned out to be public, as a published file. */
export function allowEveryOrigin(reply: FastifyReply): void {
  reply.header('cross-origin-resource-policy', 'cross-origin')
  if (!reply.hasHeader('access-control-allow-origin'))
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    })
}

/**
 * Lets pages of every origin read public routes, and those of `CORS_ORIGINS` call everything by bearer token. Never with cookies:
 * responses lack `Access-Control-Allow-Credentials`.
 */
export async function registerCors(app: FastifyInstance, config: Pick<Config, 'corsOrigins'>): Promise<void> {
  const { corsOrigins } = config
  await app.register(cors, {
    delegator(request, callback) {
      const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
      const { isPublic = false } = request.routeOptions.config
      if (!isPublic && isAllowedOrigin(config, request))
        return callback(null, { ...FOR_ALLOWED, preflight, origin: corsOrigins })
      // The preflight does not depend on the route: browsers send no more than it allows, and then look at the response.
      return callback(null, { ...FOR_VISITORS, preflight, origin: isPublic || preflight ? '*' : false })
    },
  })
  // Pages that require Cross-Origin-Resource-Policy may embed what they may read.
  app.addHook('onRequest', (_request, reply, done) => {
    if (reply.hasHeader('access-control-allow-origin')) reply.header('cross-origin-resource-policy', 'cross-origin')
    done()
  })
}
