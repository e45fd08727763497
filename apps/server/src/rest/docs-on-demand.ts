import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Serves the OpenAPI document and Swagger UI from a server of their own, created at the first request to keep starts fast. */
export function registerDocs(app: FastifyInstance, appName: string): void {
  let docs: Promise<FastifyInstance> | undefined
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    docs ??= import('./docs-ui.ts').then(({ createDocsServer }) => createDocsServer(appName))
    const { routing } = await docs
    reply.hijack()
    routing(request.raw, reply.raw)
  }
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) app.get(url, handler)
}
