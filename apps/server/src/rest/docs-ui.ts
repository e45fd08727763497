import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { contract, appErrors } from '@community/contract'
import product from '../../../../package.json' with { type: 'json' }
import Fastify, { type FastifyInstance } from 'fastify'
import { DOCS_CSP } from '../http/security-headers.ts'
import type { Config } from '../config.ts'
import { externalSignInPaths } from '../auth/external-sign-in.ts'
import { importPaths } from '../data-export/import-paths.ts'
import { exportPaths } from '../data-export/export-paths.ts'
import { eventPaths } from '../live/event-paths.ts'
import { sendFailure } from '../http/envelope.ts'
import { codingFor, compress, type ContentCoding } from '../http/content-coding.ts'
import { createEtag, matchesEtag } from '../http/etag.ts'
import { WITHOUT_SCHEMAS } from '../http/without-schemas.ts'
import { AppError } from '../errors.ts'
import { docsTheme } from './docs-theme.ts'
import { createOpenApiDocument } from './openapi/document.ts'
import { healthPaths } from '../observability/health-paths.ts'
import { filePaths } from '../uploads/file-paths.ts'
import { uploadPaths } from '../uploads/upload-paths.ts'

export type DocumentSettings = Pick<Config, 'appName' | 'appUrl' | 'readUnits' | 'concurrentRequests'>

/** The OpenAPI document of everything under `/api`. */
export const openApiDocument = ({ appName, appUrl, ...clientLimits }: DocumentSettings): object =>
  createOpenApiDocument(
    contract,
    {
      ...healthPaths,
      ...externalSignInPaths,
      ...uploadPaths,
      ...filePaths,
      ...exportPaths,
      ...importPaths,
      ...eventPaths,
    },
    { appUrl, appName, version: product.version, clientLimits },
  )

/** Creates a server of the OpenAPI document and Swagger UI. */
export async function createDocsServer(settings: DocumentSettings): Promise<FastifyInstance> {
  const docs: FastifyInstance = Fastify({
    schemaController: WITHOUT_SCHEMAS,
    routerOptions: { ignoreTrailingSlash: true },
  })
  docs.setErrorHandler((error, _request, reply) => sendFailure(reply, error))
  docs.setNotFoundHandler((_request, reply) => sendFailure(reply, new AppError(appErrors.notFound)))
  const document = openApiDocument(settings)
  // Serialized once, because it takes longer than any other response. As a buffer, which slow readers share; a string is
  // copied per response.
  const bytes = Buffer.from(JSON.stringify(document))
  const etag = createEtag(bytes)
  const compressed = new Map<ContentCoding, Promise<Buffer>>()
  docs.get('/api/openapi.json', async ({ headers }, reply) => {
    // Weak, because all content codings share it.
    reply.headers({ 'cache-control': 'no-cache', etag: `W/${etag}`, vary: 'accept-encoding' })
    if (matchesEtag(etag, headers['if-none-match'])) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    const coding = codingFor(headers['accept-encoding'])
    if (!coding) return reply.send(bytes)
    const made = compressed.get(coding) ?? compress(bytes, coding)
    compressed.set(coding, made)
    return reply.header('content-encoding', coding).send(await made)
  })
  await docs.register(swagger, { mode: 'static', specification: { document: document as never } })
  await docs.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: DOCS_CSP,
    uiConfig: {
      // Without the bar that explores other documents.
      layout: 'BaseLayout',
      persistAuthorization: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      filter: true,
    },
    theme: docsTheme(`${settings.appName} API`),
  })
  await docs.ready()
  return docs
}
