import {
  type Contract,
  Failure,
  type ErrorDefinition,
  appErrors,
  type Route,
  routesOf,
  pathParametersOf,
} from '@community/contract'
import { initTRPC } from '@trpc/server'
import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { failuresFor, type PlainPaths, RATE_LIMIT_HEADERS } from './failures.ts'

/** As much of an operation as is corrected here. */
interface Operation {
  parameters?: object[]
  requestBody?: { required?: boolean }
  responses: Record<string, object>
  security?: object[]
}
type Method = 'get' | 'post' | 'put' | 'delete' | 'patch'
interface Document {
  info: object
  paths: Record<string, Partial<Record<Method, Operation>>>
  components: { schemas: Record<string, unknown> }
  tags: object[]
}

const INFO = {
  version: '1.0.0',
  description: [
    'Teams, timed challenges, judged work and a leaderboard for Moroccan IT people.',
    '',
    'Every answer is an envelope: `{ success: true, message, data }` or `{ success: false, message, code, errors? }`.',
    'Sign in with `POST /auth/login` and send the `token` as `Authorization: Bearer`.',
    '`PASSWORD_TOO_COMMON` is answered where the list of common passwords is on: by default in production only.',
    'Reads have a budget for each address and each signed-in person, told by the `RateLimit` and `RateLimit-Policy` headers: an answer from the cache costs 1, another 2, a search 10. Beyond it the answer is 429 with `Retry-After`.',
    'Calls that create something, and the verdict on a submission, honour an `Idempotency-Key` header for 24 hours; a person may have 1,000 of them at a time.',
    'Calls that mail somebody a code may answer 428: solve the challenge of `GET /auth/proof-of-work` and repeat them with `X-Proof-Of-Work`.',
  ].join('\n'),
}

const TAGS: Record<string, string> = {
  auth: 'Registration, sign-in, codes and tokens',
  users: 'People and their own accounts',
  roles: 'The roles a team may need',
  teams: 'Teams, their members and the leaderboard',
  challenges: 'Timed challenges and applications to them',
  submissions: 'Work handed in, and the verdicts on it',
  admin: 'What administrators do; calls with a password check it before any effect',
  uploads: 'Files',
  system: 'The service itself',
}

/** No dots: Swagger UI escapes them in its links. */
const operationIdOf = (domain: string, name: string): string => domain + name.charAt(0).toUpperCase() + name.slice(1)

const success = (output: z.ZodType) => z.object({ success: z.literal(true), message: z.string(), data: output })

/** The generator knows no body for DELETE; a DELETE that has one is described as a PATCH, which we never use, and renamed. */
const documentedMethod = (route: Route) => (route.method === 'DELETE' ? 'PATCH' : route.method)

function routerToDescribe(contract: Contract) {
  const t = initTRPC.meta<OpenApiMeta>().create()
  const procedureFor = (domain: string, name: string, route: Route) => {
    const meta = {
      openapi: {
        method: documentedMethod(route),
        path: route.path as `/${string}`,
        operationId: operationIdOf(domain, name),
        summary: route.summary,
        tags: [domain],
        protect: route.access !== 'visitor',
        successDescription: route.successMessage,
      },
    } satisfies OpenApiMeta
    // Refinements cannot be described, and the generator cannot take path words out of an object that has them.
    const shape = route.input?.shape
    const input = shape ? (route.method === 'GET' ? z.object(shape) : z.object(shape).strict()) : undefined
    const open = t.procedure.meta(meta)
    const typed = (input ? open.input(input) : open).output(success(route.output)) as unknown as typeof open
    return route.method === 'GET' ? typed.query(() => null) : typed.mutation(() => null)
  }
  return t.router(
    Object.fromEntries(
      Object.entries(contract).map(([domain, routes]) => [
        domain,
        t.router(
          Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, procedureFor(domain, name, route)])),
        ),
      ]),
    ),
  )
}

/** Every refusal of a call: those its access, input and confirmation imply, then those it names. */
function refusalsOf(route: Route): Record<string, ErrorDefinition> {
  return {
    // A call without fields refuses a body that is none.
    ...((route.input || route.method !== 'GET') && { validation: appErrors.validation }),
    ...(!route.ignoresToken && { notSignedIn: appErrors.notSignedIn, tokenExpired: appErrors.tokenExpired }),
    ...(route.access === 'admin' && { adminsOnly: appErrors.adminsOnly }),
    ...(route.confirm && {
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
    'The same key with the same body takes effect once; its answer is repeated for 24 hours. A refusal is not stored: the call is tried anew. At most 1,000 keys a person.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const PROOF_OF_WORK_HEADER = {
  name: 'X-Proof-Of-Work',
  in: 'header',
  required: false,
  description: 'Needed after PROOF_OF_WORK_REQUIRED: the solved challenge of `GET /auth/proof-of-work`, in base64',
  schema: { type: 'string', format: 'base64' },
}

/** Reads tell what is left of their budget. */
function withRateLimit({ method }: Route, responses: Record<string, { headers?: object }>): Record<string, object> {
  if (method !== 'GET') return responses
  const described = (status: 200 | 429) => ({
    ...responses[status],
    headers: { ...responses[status]?.headers, ...RATE_LIMIT_HEADERS },
  })
  return { ...responses, 200: described(200), 429: described(429) }
}

/** Puts right what the generator and our contract see differently. */
function correct(operation: Operation, route: Route): Operation {
  const { parameters = [], requestBody, responses, ...rest } = operation
  const shape = Object.entries(route.input?.shape ?? {})
  const body = shape.filter(([key]) => !pathParametersOf(route.path).includes(key))
  const isRequired = body.some(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
  const headers = [
    ...(route.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ...(route.proofOfWork ? [PROOF_OF_WORK_HEADER] : []),
  ]
  const all = [...parameters, ...headers]
  return {
    ...rest,
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && body.length > 0 && { requestBody: { ...requestBody, required: isRequired } }),
    // Visitors may call; some calls answer or do more with a token.
    security: route.access === 'visitor' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    responses: withRateLimit(route, {
      [route.creates ? 201 : 200]: responses['200'] ?? {},
      ...failuresFor(refusalsOf(route)),
    }),
  }
}

/** The OpenAPI 3.1 document of the contract and of the routes that are not procedures. */
export function documentOf(
  contract: Contract,
  plain: PlainPaths,
  { server, appName }: { server: string; appName: string },
): object {
  // The generator's own types are those of every OpenAPI document; ours name what is corrected.
  const document = generateOpenApiDocument(routerToDescribe(contract), {
    ...INFO,
    title: `${appName} API`,
    baseUrl: server,
    tags: Object.keys(TAGS),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  }) as unknown as Document

  for (const [, route] of routesOf(contract)) {
    const item = (document.paths[route.path] ??= {})
    const described = documentedMethod(route).toLowerCase() as Method
    const operation = item[described] ?? { responses: {} }
    delete item[described]
    item[route.method.toLowerCase() as Method] = correct(operation, route)
  }
  const { schemas } = document.components
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  schemas.Failure = (z.toJSONSchema(Failure) as { $defs?: Record<string, unknown> }).$defs?.Failure
  for (const [path, item] of Object.entries(plain)) document.paths[path] = { ...document.paths[path], ...item }
  document.info = { ...document.info, license: { name: 'MIT', identifier: 'MIT' } }
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))
  return document
}
