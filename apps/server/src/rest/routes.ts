import { type Contract, appErrors, type Route, routesOf, withMessage, pathParametersOf } from '@community/contract'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CreateContext } from '../context.ts'
import { success, successFromJson } from '../http/envelope.ts'
import { AppError } from '../errors.ts'
import type { Procedures } from '../trpc/procedures.ts'
import { createQueryParser } from './query-parser.ts'

/** A call's path as Fastify writes it: `/teams/{id}` is `/teams/:id`. */
export const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function bodyOf(request: FastifyRequest): object {
  if (request.body === undefined) return {}
  if (typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)) return request.body
  throw new AppError(withMessage(appErrors.validation, 'The body must be a JSON object'))
}

/** A path parameter that stands in the body too is told as an unknown field, beside what else is wrong. */
function repeatedParameters(route: Route, body: object, input: object): TRPCError | undefined {
  const keys = pathParametersOf(route.path).filter((word) => Object.hasOwn(body, word))
  if (keys.length === 0) return undefined
  const others = route.input?.safeParse(input).error?.issues ?? []
  const cause = new z.ZodRealError([...others, { code: 'unrecognized_keys', keys, path: [], message: '' }])
  return new TRPCError({ code: 'BAD_REQUEST', cause })
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
export function registerRestRoutes(
  app: FastifyInstance,
  contract: Contract,
  procedures: Procedures,
  createContext: CreateContext,
): void {
  const serve = (path: string, route: Route) => {
    const readQuery = createQueryParser(route.input)
    const isQuery = route.method === 'GET'
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      handler: async (request, reply) => {
        const sent = isQuery ? readQuery(request.query as Record<string, string>) : bodyOf(request)
        const input = { ...sent, ...(request.params as object) }
        const invalid = isQuery ? undefined : repeatedParameters(route, sent, input)
        const ctx = await createContext(request, reply)
        const call = { path, input: route.input || !isQuery ? input : undefined, ctx, request, invalid }
        if (isQuery) {
          const data = await procedures.queryJson(call)
          reply.type('application/json; charset=utf-8')
          return successFromJson(ctx.message ?? route.successMessage, data)
        }
        const data = await procedures.call(call, 'mutation')
        if (route.creates) reply.code(201)
        return success(ctx.message ?? route.successMessage, data)
      },
    })
  }
  for (const [name, route] of routesOf(contract)) serve(name, route)
}
