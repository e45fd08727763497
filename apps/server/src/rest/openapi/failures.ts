import { STATUS_CODES } from 'node:http'
import { appErrors, type ErrorDefinition, type Failure, limits } from '@community/contract'
import { AppError } from '../../errors.ts'
import { isTemporary, toFailure } from '../../http/failure.ts'
import { headersOf } from './headers.ts'

/** OpenAPI path items of routes that are not procedures. */
export type OpenApiPaths = Record<string, Record<string, unknown>>

const REQUEST_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

/** Seconds until a request may be repeated, at the longest; two for short limits. */
const COOLDOWNS: Record<string, number> = {
  [appErrors.signInLocked.code]: limits.SIGN_IN_WINDOW,
  [appErrors.codeTooSoon.code]: limits.CODE_COOLDOWN,
  [appErrors.codeLocked.code]: limits.DAY,
  [appErrors.adminPasswordLocked.code]: limits.ADMIN_PASSWORD_WINDOW,
  [appErrors.tooManyUploads.code]: limits.DAY,
  [appErrors.tooManyIdempotencyKeys.code]: limits.IDEMPOTENCY_KEY_TTL,
}

function exampleOf(error: ErrorDefinition): Failure {
  const cooldown = COOLDOWNS[error.code]
  return toFailure(new AppError(error, cooldown === undefined ? {} : { cooldown })).body
}

const failureSchema = (codes: string[]) => ({
  allOf: [
    { $ref: '#/components/schemas/Failure' },
    {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: codes,
          description: 'New codes may be added: handle unknown ones by the HTTP status',
        },
      },
    },
  ],
})

function headersOfStatus(status: number, isRead: boolean) {
  if (status === 401) return headersOf('WWW-Authenticate')
  if (status === 429 && isRead) return headersOf('Retry-After', 'RateLimit-Policy', 'RateLimit')
  return isTemporary(status) ? headersOf('Retry-After') : headersOf()
}

interface FailureOptions {
  /** Adds the rate limit headers of reads. */
  isRead?: boolean
  /** The failure of an invalid input, as an example of `VALIDATION`. */
  invalid?: Failure | undefined
}

/** The failure responses of an operation, `INTERNAL` included: one per status, with an example per error. */
export function failureResponses(
  errors: Record<string, ErrorDefinition>,
  { isRead = false, invalid }: FailureOptions = {},
): Record<string, object> {
  const byStatus = new Map<number, [name: string, body: Failure][]>()
  for (const [name, error] of Object.entries({ ...errors, internal: appErrors.internal })) {
    const body = name === 'validation' && invalid ? invalid : exampleOf(error)
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), [name, body]])
  }
  const responses = Array.from(byStatus, ([status, failures]) => {
    const examples = failures.map(([name, body]) => [
      name,
      { summary: body.code, value: { ...body, requestId: REQUEST_ID } },
    ])
    const schema = failureSchema([...new Set(failures.map(([, { code }]) => code))])
    const response = {
      description: STATUS_CODES[status] ?? 'Error',
      headers: headersOfStatus(status, isRead),
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
    }
    return [status, response]
  })
  return Object.fromEntries(responses)
}
