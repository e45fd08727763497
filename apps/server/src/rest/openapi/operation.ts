import { appErrors, type ErrorDefinition, pathParametersOf, type Route, scopeOf } from '@community/contract'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { NIL_UUID } from '../../database/nil-uuid.ts'
import { toFailure } from '../../http/failure.ts'
import { scopeMissingError } from '../../personal-tokens/assert-scope.ts'
import { describeOperation, describeParameter } from './descriptions.ts'
import { failureResponses } from './failures.ts'
import { headersOf, idempotencyParameter } from './headers.ts'
import { describePatterns, type JsonSchema, mergePatterns, openSchema, removeExamples } from './schemas.ts'

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}
type JsonContent = Record<'application/json', { schema: JsonSchema; example?: object }>
/** The parts of a generated operation that are corrected. */
export interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: JsonContent }
  responses: Record<string, { description?: string; headers?: object; content?: JsonContent }>
  security?: object[]
}

/** The errors of personal access tokens; none for a read, which every token may do. */
function credentialErrors(route: Route): Record<string, ErrorDefinition> {
  if (route.ignoresToken) return {}
  const scope = scopeOf(route)
  const scopeError = scope === 'read' ? {} : { tokenScopeMissing: scopeMissingError(scope).definition }
  if (!route.sessionOnly) return scopeError
  // The role is checked before the kind of token.
  return { sessionRequired: appErrors.sessionRequired, ...(route.access === 'admin' && scopeError) }
}

/** An example call: its input, if any, and its response. */
export interface Example {
  request?: object
  response?: object
}

/** The errors of a route: those that its flags imply, then those that it declares. */
function errorsOfRoute(route: Route): Record<string, ErrorDefinition> {
  return {
    // Mutations without input reject bodies that are not an empty object.
    ...((route.input || route.method !== 'GET') && { validation: appErrors.validation }),
    ...(!route.ignoresToken && { notSignedIn: appErrors.notSignedIn, tokenExpired: appErrors.tokenExpired }),
    // An account may be banned while its request runs.
    ...(route.access !== 'visitor' && { banned: appErrors.banned }),
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

/** An example of a validation failure: of an input without its required fields, with an invalid id, or with an unknown field. */
function invalidFailure({ input, method, path }: Route) {
  const inPath = (value: string) => Object.fromEntries(pathParametersOf(path).map((name) => [name, value]))
  const sent = [inPath(NIL_UUID), inPath('me'), method === 'GET' ? { limit: 0 } : { nickname: 'Atlas' }]
  // A mutation without input takes an empty object only.
  const schema = input ?? (method === 'GET' ? undefined : z.strictObject({}))
  const cause = sent.map((value) => schema?.safeParse(value).error).find((error) => error !== undefined)
  return cause && toFailure(new TRPCError({ code: 'BAD_REQUEST', cause })).body
}

const PROOF_OF_WORK_HEADER = {
  name: 'X-Proof-Of-Work',
  in: 'header',
  required: false,
  description: 'Needed after PROOF_OF_WORK_REQUIRED: the solved challenge of `GET /auth/proof-of-work`, in base64',
  schema: { type: 'string', format: 'base64' },
}

const ifNoneMatchHeader = (cached: 'for visitors' | 'by role') => ({
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: `The \`ETag\` of the last response: 304 without a body while nothing changed, at a fraction of the cost${cached === 'for visitors' ? '. Ignored with a token, and then there is no `ETag`' : ''}`,
  schema: { type: 'string' },
})

/** The headers of a route's success. */
function successHeaders({ method, cached, output }: Route): Record<string, object> {
  if (method !== 'GET') return headersOf()
  const isPaged = 'pagination' in ((output as Partial<z.ZodObject>).shape ?? {})
  return headersOf(
    'RateLimit-Policy',
    'RateLimit',
    ...(isPaged ? (['Link'] as const) : []),
    ...(cached ? (['ETag'] as const) : []),
  )
}

/** Lists are separated by commas, as query-parser.ts reads them. */
function correctParameter(route: Route, parameter: Parameter): Parameter {
  if (!parameter.required) removeExamples(parameter.schema)
  mergePatterns(parameter.schema)
  const { description: _moved, ...schema } = parameter.schema
  const isList = schema.type === 'array'
  return {
    ...parameter,
    description: describeParameter(route, parameter.name),
    ...(isList && { style: 'form', explode: false }),
    schema,
  }
}

function securityOf({ access, ignoresToken }: Route): object[] {
  if (ignoresToken === true) return []
  // Visitors may call it, and some of these procedures return more for a signed-in user.
  return access === 'visitor' ? [{}, { bearer: [] }] : [{ bearer: [] }]
}

/** Adds to a generated operation what the generator cannot derive: headers, failures, security and the status of creation. */
export function correctOperation(operation: Operation, route: Route, example: Example = {}): Operation {
  const { parameters = [], requestBody, responses, ...rest } = operation
  const shape = Object.entries(route.input?.shape ?? {})
  const body = shape.filter(([key]) => !pathParametersOf(route.path).includes(key))
  const isBodyRequired = body.some(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
  const allParameters = [
    ...parameters.map((parameter) => correctParameter(route, parameter)),
    ...(route.idempotent ? [idempotencyParameter('body')] : []),
    ...(route.proofOfWork ? [PROOF_OF_WORK_HEADER] : []),
    ...(route.cached ? [ifNoneMatchHeader(route.cached)] : []),
  ]
  mergePatterns(requestBody)
  describePatterns(requestBody)
  // The conditional rules of a refinement, which the generator drops.
  if (requestBody) Object.assign(requestBody.content['application/json'].schema, route.input?.meta())
  if (requestBody && example.request) requestBody.content['application/json'].example = example.request
  const success = responses['200']
  if (success?.content && example.response) success.content['application/json'].example = example.response
  openSchema(responses)
  return {
    ...rest,
    description: describeOperation(route),
    ...(allParameters.length > 0 && { parameters: allParameters }),
    ...(requestBody && body.length > 0 && { requestBody: { ...requestBody, required: isBodyRequired } }),
    security: securityOf(route),
    responses: {
      [route.creates ? 201 : 200]: { ...success, headers: successHeaders(route) },
      ...(route.cached && {
        304: { description: 'Not modified', headers: headersOf('RateLimit-Policy', 'RateLimit', 'ETag') },
      }),
      ...failureResponses(errorsOfRoute(route), {
        isRead: route.method === 'GET',
        invalid: invalidFailure(route),
      }),
    },
  } as Operation
}
