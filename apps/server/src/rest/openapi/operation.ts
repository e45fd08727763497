import { appErrors, type ErrorDefinition, pathParametersOf, type Route, scopeOf } from '@community/contract'
import type { z } from 'zod'
import { scopeMissing } from '../../personal-tokens/assert-scope.ts'
import { failureResponses, RATE_LIMIT_HEADERS } from './failures.ts'

/** The parts of a generated operation that are corrected. */
export interface Operation {
  parameters?: object[]
  requestBody?: { required?: boolean }
  responses: Record<string, object>
  security?: object[]
}

/** The errors of personal access tokens; none for a read, which every token may do. */
function credentialErrors(route: Route): Record<string, ErrorDefinition> {
  if (route.ignoresToken) return {}
  if (route.sessionOnly) return { sessionRequired: appErrors.sessionRequired }
  const scope = scopeOf(route)
  return scope === 'read' ? {} : { tokenScopeMissing: scopeMissing(scope).definition }
}

/** The errors of a route: those that its flags imply, then those that it declares. */
function errorsOfRoute(route: Route): Record<string, ErrorDefinition> {
  return {
    // Mutations without input reject bodies that are not an empty object.
    ...((route.input || route.method !== 'GET') && { validation: appErrors.validation }),
    ...(!route.ignoresToken && { notSignedIn: appErrors.notSignedIn, tokenExpired: appErrors.tokenExpired }),
    ...(route.access === 'admin' && { adminsOnly: appErrors.adminsOnly }),
    ...credentialErrors(route),
    ...(route.requiresAdminPassword && {
      passwordRequired: appErrors.passwordRequired,
      wrongPassword: appErrors.wrongPassword,
      adminPasswordLocked: appErrors.adminPasswordLocked,
    }),
    ...(route.method !== 'GET' && {
      tooLarge: appErrors.tooLarge,
      wrongContentType: appErrors.wrongContentType,
      crossSite: appErrors.crossSite,
    }),
    ...(route.idempotent && {
      idempotencyKeyInvalid: appErrors.idempotencyKeyInvalid,
      idempotencyKeyRunning: appErrors.idempotencyKeyRunning,
      idempotencyKeySpent: appErrors.idempotencyKeySpent,
      idempotencyKeyReused: appErrors.idempotencyKeyReused,
      tooManyIdempotencyKeys: appErrors.tooManyIdempotencyKeys,
    }),
    ...(route.proofOfWork && {
      proofOfWorkRequired: { ...appErrors.proofOfWorkRequired, proofOfWork: route.proofOfWork },
      proofOfWorkInvalid: { ...appErrors.proofOfWorkInvalid, proofOfWork: route.proofOfWork },
    }),
    tooManyRequests: appErrors.tooManyRequests,
    unavailable: appErrors.unavailable,
    ...route.errors,
  }
}

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same body takes effect once; its response is repeated for 24 hours. Failures are not stored, so a retry runs again. At most 1,000 keys per user.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const PROOF_OF_WORK_HEADER = {
  name: 'X-Proof-Of-Work',
  in: 'header',
  required: false,
  description: 'Needed after PROOF_OF_WORK_REQUIRED: the solved challenge of `GET /auth/proof-of-work`, in base64',
  schema: { type: 'string', format: 'base64' },
}

const IF_NONE_MATCH_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the last response: 304 without a body while nothing changed, at a fraction of the cost',
  schema: { type: 'string' },
}
const ETAG_HEADER = { ETag: { description: 'Changes with the data', schema: { type: 'string' } } }

const LINK_HEADER = {
  Link: {
    description: 'The next page, if there is one (RFC 8288)',
    schema: { type: 'string' },
    example: '<https://community.example/api/teams?limit=24&cursor=WyJ0>; rel="next"',
  },
}

/** Adds the rate limit headers to the responses of a read, and the ETag where there is one. */
function withReadHeaders(
  { method, cached, output }: Route,
  responses: Record<string, { headers?: object }>,
): Record<string, object> {
  if (method !== 'GET') return responses
  const link = 'pagination' in ((output as Partial<z.ZodObject>).shape ?? {}) && LINK_HEADER
  const withHeaders = (status: 200 | 429, more?: object) => ({
    ...responses[status],
    headers: { ...responses[status]?.headers, ...RATE_LIMIT_HEADERS, ...more },
  })
  if (!cached) return { ...responses, 200: withHeaders(200, { ...link }), 429: withHeaders(429) }
  const notModified = { description: 'Not modified', headers: { ...RATE_LIMIT_HEADERS, ...ETAG_HEADER } }
  return { ...responses, 200: withHeaders(200, { ...link, ...ETAG_HEADER }), 304: notModified, 429: withHeaders(429) }
}

/** Adds to a generated operation what the generator cannot derive: headers, failures, security and the status of creation. */
export function correctOperation(operation: Operation, route: Route): Operation {
  const { parameters = [], requestBody, responses, ...rest } = operation
  const shape = Object.entries(route.input?.shape ?? {})
  const body = shape.filter(([key]) => !pathParametersOf(route.path).includes(key))
  const isBodyRequired = body.some(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
  const headers = [
    ...(route.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ...(route.proofOfWork ? [PROOF_OF_WORK_HEADER] : []),
    ...(route.cached ? [IF_NONE_MATCH_HEADER] : []),
  ]
  const allParameters = [...parameters, ...headers]
  return {
    ...rest,
    ...(allParameters.length > 0 && { parameters: allParameters }),
    ...(requestBody && body.length > 0 && { requestBody: { ...requestBody, required: isBodyRequired } }),
    // Visitors may call it, and some of these procedures return more for a signed-in user.
    security: route.access === 'visitor' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    responses: withReadHeaders(route, {
      [route.creates ? 201 : 200]: responses['200'] ?? {},
      ...failureResponses(errorsOfRoute(route)),
    }),
  }
}
