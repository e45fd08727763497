import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../context.ts'
import { sendFailure, success } from '../http/envelope.ts'
import { AppError } from '../errors.ts'
import { checkServices } from './service-states.ts'

/**
 * Readiness checks the database, storage and mail server. Only an unavailable database or a shutdown makes it 503. Liveness checks no
 * service.
 */
export function healthRoutes(app: FastifyInstance, deps: Deps, shutdownSignal?: AbortSignal): void {
  app.get('/health/live', { config: { isPublic: true } }, () => success('OK', { uptime: process.uptime() }))
  app.get('/health', { config: { isPublic: true } }, async (_request, reply) => {
    const states = await checkServices(deps)
    const data = { ...states, uptime: process.uptime() }
    if (states.database === 'up' && !shutdownSignal?.aborted) return success('OK', data)
    return sendFailure(reply, new AppError(appErrors.unavailable))
  })
}
