import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { malformedRequest } from './failure.ts'
import { hasTooManyPipelined } from './response-finished.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects requests of any route while the server is starting or closing, and those that no route may see. */
export function rejectEarly(app: FastifyInstance, isReady: () => boolean): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    if (isClosing || (!isReady() && request.routeOptions.url !== '/api/health/live'))
      throw new AppError(appErrors.unavailable)
    if (hasTooManyPipelined(request, reply)) throw new AppError(appErrors.unavailable)
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion !== '1.0') throw new AppError(malformedRequest)
    if (!SAFE_METHODS.has(request.method) && headers['sec-fetch-site'] === 'cross-site')
      throw new AppError(appErrors.crossSite)
  })
}
