import { type Contract, Failure, routesOf } from '@community/contract'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import type { OpenApiPaths } from './failures.ts'
import { correctOperation, type Operation } from './operation.ts'
import { createDocumentedRouter, generatedMethod } from './router.ts'

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
    'Every response is an envelope: `{ success: true, message, data }` or `{ success: false, message, code, errors? }`.',
    'Sign in with `POST /auth/login` and send the `token` as `Authorization: Bearer`. Scripts send a personal access token (`POST /users/tokens`) the same way: `read` allows every GET, `write` also the other operations of a member, `admin` also administration, without `password` in bodies.',
    '`PASSWORD_TOO_COMMON` is returned where the list of common passwords is enabled: by default in production only.',
    'Reads are rate limited per IP address and per signed-in user, as the `RateLimit` and `RateLimit-Policy` headers report: a cached response costs 1, any other 2, a search 10. Above the limit the response is 429 with `Retry-After`.',
    'Operations that create something, and the evaluation of a submission, honour an `Idempotency-Key` header for 24 hours; a user may have 1,000 keys at a time.',
    'Operations that mail a code may respond 428: solve the challenge of `GET /auth/proof-of-work` and repeat the request with `X-Proof-Of-Work`.',
  ].join('\n'),
}

const TAGS: Record<string, string> = {
  auth: 'Registration, sign-in, codes and tokens',
  users: 'People and their own accounts',
  roles: 'The roles a team may need',
  teams: 'Teams, their members and the leaderboard',
  challenges: 'Timed challenges and applications to them',
  submissions: 'Submitted work and its evaluation',
  admin: 'Administration; operations with a password check it before any effect',
  uploads: 'Files',
  system: 'Health and settings of the service',
}

/** The OpenAPI 3.1 document of the contract's procedures and of `otherPaths`, the routes that are not procedures. */
export function createOpenApiDocument(
  contract: Contract,
  otherPaths: OpenApiPaths,
  { server, appName }: { server: string; appName: string },
): object {
  // The generator's type allows any OpenAPI document; `Document` names the parts corrected below.
  const document = generateOpenApiDocument(createDocumentedRouter(contract), {
    ...INFO,
    title: `${appName} API`,
    baseUrl: server,
    tags: Object.keys(TAGS),
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The `token` of a sign-in, or a personal access token (`cmt_…`)',
      },
    },
  }) as unknown as Document

  for (const [, route] of routesOf(contract)) {
    const item = (document.paths[route.path] ??= {})
    const method = generatedMethod(route).toLowerCase() as Method
    const operation = item[method] ?? { responses: {} }
    delete item[method]
    item[route.method.toLowerCase() as Method] = correctOperation(operation, route)
  }
  const { schemas } = document.components
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  schemas.Failure = (z.toJSONSchema(Failure) as { $defs?: Record<string, unknown> }).$defs?.Failure
  for (const [path, item] of Object.entries(otherPaths)) document.paths[path] = { ...document.paths[path], ...item }
  document.info = { ...document.info, license: { name: 'MIT', identifier: 'MIT' } }
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))
  return document
}
