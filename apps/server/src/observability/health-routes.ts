import { appErrors } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../context.ts'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import examples from '../rest/openapi/examples.json' with { type: 'json' }
import { headersOf } from '../rest/openapi/headers.ts'
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

const state = { type: 'string', enum: ['up', 'down'] }
const envelope = (data: object) => ({
  type: 'object',
  required: ['success', 'message', 'data'],
  properties: { success: { type: 'boolean', const: true }, message: { type: 'string', description: 'OK' }, data },
})
const okResponse = (description: string, data: object, example: object) => ({
  description,
  headers: headersOf(),
  content: {
    'application/json': { schema: envelope(data), example },
  },
})
const uptime = { type: 'number', description: 'Seconds since the start' }

export const healthPaths: OpenApiPaths = {
  '/health': {
    get: {
      operationId: 'systemHealth',
      tags: ['system'],
      summary: 'Is the service ready: database, storage, mail',
      description: '503 when the database is away, or while the server starts or stops.',
      security: [],
      responses: {
        200: okResponse(
          'Ready',
          {
            type: 'object',
            required: ['database', 'storage', 'mail', 'uptime'],
            properties: { database: state, storage: state, mail: state, uptime },
          },
          examples['system.health'].response,
        ),
        ...failureResponses({ unavailable: appErrors.unavailable }),
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'systemLive',
      tags: ['system'],
      summary: 'Is the process alive',
      description: 'Checks no service.',
      security: [],
      responses: {
        200: okResponse(
          'Alive',
          { type: 'object', required: ['uptime'], properties: { uptime } },
          examples['system.live'].response,
        ),
        ...failureResponses({}),
      },
    },
  },
}
