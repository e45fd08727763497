import { STATUS_CODES } from 'node:http'
import type { ErrorDefinition } from '@community/contract'
import { isTemporary } from '../../http/failure.ts'

/** OpenAPI path items of routes that are not procedures. */
export type OpenApiPaths = Record<string, Record<string, unknown>>

const exampleOf = ({ status: _status, path, ...error }: ErrorDefinition) => ({
  success: false,
  ...error,
  ...(path !== undefined && { errors: [{ msg: error.message, path }] }),
})

const RETRY_AFTER_HEADER = {
  'Retry-After': { description: 'Seconds, as in `cooldown`', required: true, schema: { type: 'integer', minimum: 1 } },
}

/** The rate limit headers of reads, on 200 and 429. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': {
    description:
      'The limit that applies, per IP address or per user: units (q) and the seconds (w) in which they refill',
    schema: { type: 'string' },
    example: '"address";q=6000;w=20',
  },
  RateLimit: {
    description: 'Units left (r) and seconds until all are available again (t); on 429 the seconds of `Retry-After`',
    schema: { type: 'string' },
    example: '"address";r=5987;t=1',
  },
}

/** The failure responses of an operation: one per status, with an example per error. */
export function failureResponses(errors: Record<string, ErrorDefinition>): Record<string, object> {
  const responses: Record<
    string,
    {
      description: string
      headers?: Record<string, object>
      content: { 'application/json': { schema: object; examples: Record<string, object> } }
    }
  > = {}
  for (const [name, error] of Object.entries(errors)) {
    const response = (responses[error.status] ??= {
      description: STATUS_CODES[error.status] ?? 'Error',
      ...(isTemporary(error.status) && { headers: RETRY_AFTER_HEADER }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples: {} } },
    })
    response.content['application/json'].examples[name] = { summary: error.code, value: exampleOf(error) }
  }
  return responses
}
