import { type Contract, appErrors, type Route, routesOf, withMessage, pathParametersOf } from '@community/contract'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CreateContext } from '../context.ts'
import { codingFor } from '../http/content-coding.ts'
import { success, successFromJson } from '../http/envelope.ts'
import { removeDocumentHeaders } from '../http/security-headers.ts'
import { AppError } from '../errors.ts'
import type { ProcedureCall, Procedures } from '../trpc/procedures.ts'
import { createQueryParser, repeatedQueryError } from './query-parser.ts'

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

const encodedBodyError = withMessage(appErrors.wrongContentType, 'Send the body without Content-Encoding')

/** Accepts uncompressed JSON bodies only. An empty body counts as none, because clients send the JSON content type on those too. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') return done(new AppError(encodedBodyError))
    return parse(request, text as string, done)
  })
}

/** The URL of the next page of a list, with the other parameters of its query. */
export function nextPageUrl(appUrl: string, requestUrl: string, cursor: string): string {
  // Only the path and query: a proxy may send the URL in absolute form.
  const { pathname, searchParams } = new URL(requestUrl, appUrl)
  searchParams.delete('page')
  searchParams.set('cursor', cursor)
  return `${appUrl}${pathname}?${searchParams.toString()}`
}

interface RouteDeps {
  procedures: Procedures
  createContext: CreateContext
  appUrl: string
}

/** Responds to a read; with 304 and no body when the client has the current version of a cached one. */
async function respondToRead(
  { procedures, appUrl }: RouteDeps,
  call: ProcedureCall,
  route: Route,
  reply: FastifyReply,
) {
  const { ctx, request } = call
  const { 'accept-encoding': accepted, 'if-none-match': ifNoneMatch } = request.headers
  if (route.access === 'visitor') reply.header('vary', 'accept-encoding, authorization')
  const { bytes, coding, etag, nextCursor, isNotModified } = await procedures.queryBody(call, {
    variant: 'rest',
    wrap: (data) => successFromJson(ctx.message ?? route.successMessage, data),
    coding: codingFor(accepted),
    ifNoneMatch,
  })
  // Weak, because all content codings share it.
  if (etag) reply.header('etag', `W/${etag}`)
  if (nextCursor) reply.header('link', `<${nextPageUrl(appUrl, request.url, nextCursor)}>; rel="next"`)
  if (isNotModified) {
    // The client keeps the headers of the stored response, and they are most of a 304's bytes.
    removeDocumentHeaders(reply.raw)
    return reply.code(304).send()
  }
  if (coding) reply.header('content-encoding', coding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}

function registerRoute(app: FastifyInstance, deps: RouteDeps, path: string, route: Route): void {
  const parseQuery = createQueryParser(route.input)
  const isRead = route.method === 'GET'
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { isPublic: isRead && route.access === 'visitor' },
    handler: async (request, reply) => {
      const query = isRead ? parseQuery(request.query as Record<string, string>) : undefined
      const fields = query?.values ?? bodyOf(request)
      const input = { ...fields, ...(request.params as object) }
      const invalid = query
        ? route.input && repeatedQueryError(route.input, input, query.repeated)
        : repeatedParameterError(route, fields, input)
      const ctx = await deps.createContext(request, reply)
      const call = { path, input: route.input || !isRead ? input : undefined, ctx, request, invalid }
      if (isRead) return respondToRead(deps, call, route, reply)
      const data = await deps.procedures.call(call, 'mutation')
      if (route.creates) reply.code(201)
      return success(ctx.message ?? route.successMessage, data)
    },
  })
}

/** Registers a Fastify route for each route of the contract; it calls the procedure of the same name. */
export function registerRestRoutes(app: FastifyInstance, contract: Contract, deps: RouteDeps): void {
  for (const [name, route] of routesOf(contract)) registerRoute(app, deps, name, route)
}
