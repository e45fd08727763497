import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NO_CORS } from '../http/cors.ts'
import type { DocumentSettings } from './docs-ui.ts'

/** Serves the OpenAPI document and Swagger UI from a server of their own, created at the first request to keep starts fast. */
export function registerDocs(app: FastifyInstance, config: DocumentSettings): void {
  let docs: Promise<FastifyInstance> | undefined
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    docs ??= import('./docs-ui.ts').then(({ createDocsServer }) => createDocsServer(config))
    const { routing } = await docs
    reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])))
    reply.hijack()
    routing(request.raw, reply.raw)
  }
  app.get('/api/openapi.json', { config: { isPublic: true } }, handler)
  for (const url of ['/api/docs', '/api/docs/*']) app.get(url, NO_CORS, handler)
}
