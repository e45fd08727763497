import { type Contract, faults, type Route, saying } from '@community/contract'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from './context.ts'
import { success } from './envelope.ts'
import { Refusal } from './errors.ts'
import { queryReader } from './query-reader.ts'

export type ContextOf = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>

/** A call's path as Fastify writes it: `/teams/{id}` is `/teams/:id`. */
export const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function bodyOf(request: FastifyRequest): object {
  if (request.body === undefined) return {}
  if (typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)) return request.body
  throw new Refusal(saying(faults.validation, 'The body must be a JSON object'))
}

/** Clients send the JSON header on empty bodies too: an empty body is no body. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, undefined) : parse(request, text as string, done),
  )
}

/** One real Fastify route per call of the contract, calling its procedure: routing, limits and logs all see it. */
export function serveRest(app: FastifyInstance, contract: Contract, router: AnyTRPCRouter, contextOf: ContextOf): void {
  const serve = (name: string, route: Route) => {
    const readQuery = queryReader(route.input)
    const type = route.method === 'GET' ? 'query' : 'mutation'
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      handler: async (request, reply) => {
        const sent = type === 'query' ? readQuery(request.query as Record<string, string>) : bodyOf(request)
        const input = route.input ? { ...sent, ...(request.params as object) } : undefined
        const ctx = await contextOf(request, reply)
        const data: unknown = await callTRPCProcedure({
          router,
          path: name,
          type,
          ctx,
          input: undefined,
          getRawInput: async () => input,
          signal: request.signal,
          batchIndex: 0,
        })
        if (route.creates) reply.code(201)
        return success(ctx.message ?? route.done, data)
      },
    })
  }
  for (const [domain, routes] of Object.entries(contract))
    for (const [name, route] of Object.entries(routes)) serve(`${domain}.${name}`, route)
}
