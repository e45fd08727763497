import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { contract, appErrors } from '@community/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { DOCS_CSP } from '../http/security-headers.ts'
import { externalSignInPaths } from '../auth/external-sign-in.ts'
import { DEFAULT_APP_NAME } from '../mails/app-name.ts'
import { sendFailure } from '../http/envelope.ts'
import { createEtag, matchesEtag } from '../http/etag.ts'
import { AppError } from '../errors.ts'
import { createOpenApiDocument } from './openapi/document.ts'
import { healthPaths } from '../observability/health-routes.ts'
import { filePaths, uploadPaths } from '../uploads/upload-paths.ts'

/** The OpenAPI document of everything under `/api`. */
export const openApiDocument = (appName = DEFAULT_APP_NAME) =>
  createOpenApiDocument(
    contract,
    { ...healthPaths, ...externalSignInPaths, ...uploadPaths, ...filePaths },
    { server: '/api', appName },
  )

/** Creates a server of the OpenAPI document and Swagger UI. */
export async function createDocsServer(appName: string): Promise<FastifyInstance> {
  const docs: FastifyInstance = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  docs.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  docs.setNotFoundHandler((_request, reply) => sendFailure(reply, new AppError(appErrors.notFound)))
  const document = openApiDocument(appName)
  // Serialized once, because it takes longer than any other response. As a buffer, which slow readers share; a string is
  // copied per response.
  const bytes = Buffer.from(JSON.stringify(document))
  const etag = createEtag(bytes)
  docs.get('/api/openapi.json', ({ headers }, reply) => {
    reply.type('application/json; charset=utf-8').headers({ 'cache-control': 'no-cache', etag })
    return matchesEtag(etag, headers['if-none-match']) ? reply.code(304).send() : reply.send(bytes)
  })
  await docs.register(swagger, { mode: 'static', specification: { document: document as never } })
  await docs.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: DOCS_CSP,
    uiConfig: { persistAuthorization: true, displayRequestDuration: true, docExpansion: 'list', filter: true },
    theme: { title: `${appName} API` },
  })
  await docs.ready()
  return docs
}
