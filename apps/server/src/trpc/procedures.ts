import { type Contract, type Route, routesOf } from '@community/contract'
import { type AnyTRPCRouter, callTRPCProcedure, type TRPCError } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ResponseCache } from '../http/response-cache.ts'

export interface ProcedureCall {
  /** The procedure's name, such as `teams.list`. */
  path: string
  input: unknown
  /** Thrown in place of parsing the input, once access is decided. */
  invalid?: TRPCError | undefined
  ctx: Context
  request: FastifyRequest
  batchIndex?: number
}

/** How both doors call the procedures. */
export interface Procedures {
  call(call: ProcedureCall, type: 'query' | 'mutation'): Promise<unknown>
  /** A query's data as JSON, from the cache where the contract allows it. */
  queryJson(call: ProcedureCall): Promise<Buffer>
}

/** All that an answer which is cached may know of its caller; undefined where it is not to be cached for this one. */
function audienceOf({ user, tokenError }: Context, cached: Route['cached'] | undefined): string | undefined {
  if (!cached || tokenError) return undefined
  if (!user) return 'visitor'
  return cached === 'by role' ? user.role : undefined
}

/**
 * The name under which an answer is stored: the same for every request that the input's schema reads alike, over either transport.
 * Undefined for input that the schema refuses.
 */
function cacheKey(path: string, { input: schema }: Route, audience: string, input: unknown): string | undefined {
  if (!schema) return `${audience} ${path}`
  const parsed = schema.safeParse(input)
  return parsed.success ? `${audience} ${path} ${JSON.stringify(parsed.data)}` : undefined
}

/** Answers are cached where the contract says so. */
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
    queryJson(asked) {
      const make = async () => Buffer.from(JSON.stringify(await call(asked, 'query')))
      const route = routes.get(asked.path)
      const audience = route && audienceOf(asked.ctx, route.cached)
      const key = audience && cacheKey(asked.path, route, audience, asked.input)
      return key === undefined ? make() : cache(key, make)
    },
  }
}
