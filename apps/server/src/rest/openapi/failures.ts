import { STATUS_CODES } from 'node:http'
import type { ErrorDefinition } from '@community/contract'
import { isTemporary } from '../../http/failure.ts'

/** Paths that are not procedures, in OpenAPI's own words. */
export type OpenApiPaths = Record<string, Record<string, unknown>>

const exampleOf = ({ status: _status, path, ...fault }: ErrorDefinition) => ({
  success: false,
  ...fault,
  ...(path !== undefined && { errors: [{ msg: fault.message, path }] }),
})

const WAITING_HEADERS = {
  'Retry-After': { description: 'Seconds, as in `cooldown`', required: true, schema: { type: 'integer', minimum: 1 } },
}

/** The fields that tell what is left of a budget of reads: of every answer to a GET, and of its 429. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': {
    description:
      'The budget that counts here, of the address or of the person: units (q) and the seconds (w) in which it refills',
    schema: { type: 'string' },
    example: '"address";q=6000;w=20',
  },
  RateLimit: {
    description: 'Units left (r) and seconds until the budget is full again (t); of a 429 the seconds of `Retry-After`',
    schema: { type: 'string' },
    example: '"address";r=5987;t=1',
  },
}

/** The failures of a call as OpenAPI: one answer per status, an example per fault. */
export function failureResponses(known: Record<string, ErrorDefinition>): Record<string, object> {
  const answers: Record<
    string,
    {
      description: string
      headers?: Record<string, object>
      content: { 'application/json': { schema: object; examples: Record<string, object> } }
    }
  > = {}
  for (const [name, fault] of Object.entries(known)) {
    const answer = (answers[fault.status] ??= {
      description: STATUS_CODES[fault.status] ?? 'Refused',
      ...(isTemporary(fault.status) && { headers: WAITING_HEADERS }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples: {} } },
    })
    answer.content['application/json'].examples[name] = { summary: fault.code, value: exampleOf(fault) }
  }
  return answers
}
