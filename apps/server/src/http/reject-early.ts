import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { isAllowedOrigin } from './cors.ts'
import { malformedRequest } from './failure.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects requests while the server starts or closes, requests without a Host header, and cross-site writes from origins that CORS does not allow. */
export function rejectEarly(app: FastifyInstance, config: Pick<Config, 'corsOrigins'>, isReady: () => boolean): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async (request) => {
    if (isClosing || (!isReady() && request.routeOptions.url !== '/api/health/live'))
      throw new AppError(appErrors.unavailable)
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion !== '1.0') throw new AppError(malformedRequest)
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site' && !isAllowedOrigin(config, request)
    if (!SAFE_METHODS.has(request.method) && isCrossSite) throw new AppError(appErrors.crossSite)
  })
}
