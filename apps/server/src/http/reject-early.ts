import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { malformedRequest } from './failure.ts'
import { countPipelined } from './response-finished.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects requests while the server is starting or closing, pipelined floods, requests without a host and cross-site writes. */
export function rejectEarly(app: FastifyInstance, isReady: () => boolean): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    if (isClosing || (!isReady() && request.routeOptions.url !== '/api/health/live'))
      throw new AppError(appErrors.unavailable)
    if (!countPipelined(request, reply)) throw new AppError(appErrors.unavailable)
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion !== '1.0') throw new AppError(malformedRequest)
    if (!SAFE_METHODS.has(request.method) && headers['sec-fetch-site'] === 'cross-site')
      throw new AppError(appErrors.crossSite)
  })
}
