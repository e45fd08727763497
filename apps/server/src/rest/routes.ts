import { type Contract, appErrors, type Route, routesOf, withMessage, pathParametersOf } from '@community/contract'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CreateContext } from '../context.ts'
import { codingFor } from '../http/content-coding.ts'
import { success, successFromJson } from '../http/envelope.ts'
import { AppError } from '../errors.ts'
import type { Procedures } from '../trpc/procedures.ts'
import { createQueryParser } from './query-parser.ts'

/** A route's path in Fastify's syntax: `/teams/{id}` becomes `/teams/:id`. */
export const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function bodyOf(request: FastifyRequest): object {
  if (request.body === undefined) return {}
  if (typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)) return request.body
  throw new AppError(withMessage(appErrors.validation, 'The body must be a JSON object'))
}

/** Reports path parameters repeated in the body as unknown fields, together with the input's other issues. */
function repeatedParameterError(route: Route, body: object, input: object): TRPCError | undefined {
  const keys = pathParametersOf(route.path).filter((name) => Object.hasOwn(body, name))
  if (keys.length === 0) return undefined
  const otherIssues = route.input?.safeParse(input).error?.issues ?? []
  const cause = new z.ZodRealError([...otherIssues, { code: 'unrecognized_keys', keys, path: [], message: '' }])
  return new TRPCError({ code: 'BAD_REQUEST', cause })
}

/** Accepts JSON bodies only. An empty body counts as none, because clients send the JSON content type on those too. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, undefined) : parse(request, text as string, done),
  )
}

/** Registers a Fastify route per route of the contract, which calls its procedure. */
export function registerRestRoutes(
  app: FastifyInstance,
  contract: Contract,
  procedures: Procedures,
  createContext: CreateContext,
): void {
  const register = (path: string, route: Route) => {
    const parseQuery = createQueryParser(route.input)
    const isRead = route.method === 'GET'
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      config: { isPublic: isRead && route.access === 'visitor' },
      handler: async (request, reply) => {
        const fields = isRead ? parseQuery(request.query as Record<string, string>) : bodyOf(request)
        const input = { ...fields, ...(request.params as object) }
        const invalid = isRead ? undefined : repeatedParameterError(route, fields, input)
        const ctx = await createContext(request, reply)
        const call = { path, input: route.input || !isRead ? input : undefined, ctx, request, invalid }
        if (isRead) {
          const { bytes, coding } = await procedures.queryBody(call, {
            variant: 'rest',
            wrap: (data) => successFromJson(ctx.message ?? route.successMessage, data),
            coding: codingFor(request.headers['accept-encoding']),
          })
          reply.type('application/json; charset=utf-8')
          if (route.cached) reply.header('vary', 'accept-encoding')
          if (coding) reply.header('content-encoding', coding)
          return bytes
        }
        const data = await procedures.call(call, 'mutation')
        if (route.creates) reply.code(201)
        return success(ctx.message ?? route.successMessage, data)
      },
    })
  }
  for (const [name, route] of routesOf(contract)) register(name, route)
}
