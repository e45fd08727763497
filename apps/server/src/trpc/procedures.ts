import { type Contract, type Route, routesOf } from '@community/contract'
import { type AnyTRPCRouter, callTRPCProcedure, type TRPCError } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ResponseCache } from '../http/response-cache.ts'

interface ProcedureCall {
  /** The procedure's name, such as `teams.list`. */
  path: string
  input: unknown
  /** Thrown instead of parsing the input, after access is checked. */
  invalid?: TRPCError | undefined
  ctx: Context
  request: FastifyRequest
  batchIndex?: number
}

/** Calls procedures; used by both transports. */
export interface Procedures {
  call(call: ProcedureCall, type: 'query' | 'mutation'): Promise<unknown>
  /** A query's data as JSON, from the response cache if the contract allows it. */
  queryJson(call: ProcedureCall): Promise<Buffer>
}

/** The callers who share a cached response: visitors, or all users of a role. Undefined when it is not cached for this caller. */
function audienceOf({ user, tokenError }: Context, cached: Route['cached'] | undefined): string | undefined {
  if (!cached || tokenError) return undefined
  if (!user) return 'visitor'
  return cached === 'by role' ? user.role : undefined
}

/** The cache key of a query: equal for inputs that parse to the same value, over either transport. Undefined for invalid input. */
function cacheKey(path: string, { input: schema }: Route, audience: string, input: unknown): string | undefined {
  if (!schema) return `${audience} ${path}`
  const parsed = schema.safeParse(input)
  return parsed.success ? `${audience} ${path} ${JSON.stringify(parsed.data)}` : undefined
}

export function createProcedures(contract: Contract, router: AnyTRPCRouter, cache: ResponseCache): Procedures {
  const routes = new Map(routesOf(contract))
  const call: Procedures['call'] = ({ path, input, invalid, ctx, request, batchIndex = 0 }, type) =>
    callTRPCProcedure({
      router,
      path,
      type,
      ctx,
      input: undefined,
      getRawInput: async () => {
        if (invalid) throw invalid
        return input
      },
      signal: request.signal,
      batchIndex,
    })
  return {
    call,
    queryJson(query) {
      const create = async () => Buffer.from(JSON.stringify(await call(query, 'query')))
      const route = routes.get(query.path)
      const audience = route && audienceOf(query.ctx, route.cached)
      const key = audience && cacheKey(query.path, route, audience, query.input)
      return key === undefined ? create() : cache(key, create)
    },
  }
}
