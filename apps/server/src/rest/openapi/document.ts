import { type Contract, Failure, routesOf } from '@community/contract'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import type { OpenApiPaths } from './failures.ts'
import examples from './examples.json' with { type: 'json' }
import { type ClientLimits, createGuide } from './guide.ts'
import { RESPONSE_HEADERS } from './headers.ts'
import { correctOperation, type Example, type Operation } from './operation.ts'
import { createDocumentedRouter, generatedMethod } from './router.ts'
import { openSchema } from './schemas.ts'
import { webhookOperations } from './webhooks.ts'

type Method = 'get' | 'post' | 'put' | 'delete' | 'patch'
/** The server's address in examples. */
const EXAMPLE_URL = 'https://community.example'
/** Made by test/openapi-examples.test.ts from calls of a server. */
const EXAMPLES: Record<string, Example> = examples

interface Document {
  info: object
  paths: Record<string, Partial<Record<Method, Operation>>>
  webhooks?: object
  components: { schemas: Record<string, unknown>; headers?: object }
  tags: object[]
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
  notifications: 'What concerns the caller, and how they get it',
  webhooks: 'Signed messages about events, for chefs and administrators',
  events: 'A stream of what changes',
  system: 'Health and settings of the service',
}

/** The OpenAPI 3.1 document of the contract's procedures and of `otherPaths`, the routes that are not procedures. */
export function createOpenApiDocument(
  contract: Contract,
  otherPaths: OpenApiPaths,
  {
    appUrl,
    appName,
    version,
    clientLimits,
  }: { appUrl: string; appName: string; version: string; clientLimits: ClientLimits },
): object {
  // The generator's type allows any OpenAPI document; `Document` names the parts corrected below.
  const document = generateOpenApiDocument(createDocumentedRouter(contract), {
    title: `${appName} API`,
    description: createGuide(`${appUrl}/api`, clientLimits),
    version,
    baseUrl: `${appUrl}/api`,
    tags: Object.keys(TAGS),
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The `token` of a sign-in, or a personal access token (`cmt_…`)',
      },
    },
  }) as unknown as Document

  for (const [name, route] of routesOf(contract)) {
    const item = (document.paths[route.path] ??= {})
    const method = generatedMethod(route).toLowerCase() as Method
    const operation = item[method] ?? { responses: {} }
    delete item[method]
    item[route.method.toLowerCase() as Method] = correctOperation(operation, route, EXAMPLES[name])
  }
  const { schemas } = document.components
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  schemas.Failure = (z.toJSONSchema(Failure, { io: 'input' }) as { $defs?: Record<string, unknown> }).$defs?.Failure
  openSchema(schemas)
  document.components.headers = RESPONSE_HEADERS
  for (const [path, item] of Object.entries(otherPaths)) document.paths[path] = { ...document.paths[path], ...item }
  document.webhooks = webhookOperations()
  document.info = {
    ...document.info,
    contact: { name: `${appName} API`, url: appUrl },
    license: { name: 'MIT', identifier: 'MIT' },
  }
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))
  return JSON.parse(JSON.stringify(document).replaceAll(EXAMPLE_URL, appUrl)) as object
}
