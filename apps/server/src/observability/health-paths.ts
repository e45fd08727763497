import { appErrors } from '@community/contract'
import { malformedRequest } from '../http/failure.ts'
import { successResponse } from '../rest/openapi/envelope.ts'
import examples from '../rest/openapi/examples.json' with { type: 'json' }
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'

const state = { type: 'string', enum: ['up', 'down'] }
/** The 400 is for requests that are not valid HTTP, such as one without `Host`; health checks accept all others. */
const failures = failureResponses({ malformedRequest, unavailable: appErrors.unavailable })
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
        200: successResponse(
          'Ready',
          { database: state, storage: state, mail: state, uptime },
          examples['system.health'].response,
        ),
        ...failures,
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'systemLive',
      tags: ['system'],
      summary: 'Is the process alive',
      description: 'Checks no service. 503 while the server stops.',
      security: [],
      responses: {
        200: successResponse('Alive', { uptime }, examples['system.live'].response),
        ...failures,
      },
    },
  },
}
