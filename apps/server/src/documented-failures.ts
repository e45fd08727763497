import { STATUS_CODES } from 'node:http'
import type { Fault } from '@community/contract'
import { isForLater } from './errors.ts'

/** Paths that are not procedures, in OpenAPI's own words. */
export type PlainPaths = Record<string, Record<string, unknown>>

const exampleOf = ({ status: _status, path, ...fault }: Fault) => ({
  success: false,
  ...fault,
  ...(path !== undefined && { errors: [{ msg: fault.message, path }] }),
})

const WAITING_HEADERS = {
  'Retry-After': { description: 'Seconds, as in `cooldown`', required: true, schema: { type: 'integer', minimum: 1 } },
}

/** The failures of a call as OpenAPI: one answer per status, an example per fault. */
export function failuresFor(known: Record<string, Fault>): Record<string, object> {
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
      ...(isForLater(fault.status) && { headers: WAITING_HEADERS }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples: {} } },
    })
    answer.content['application/json'].examples[name] = { summary: fault.code, value: exampleOf(fault) }
  }
  return answers
}
