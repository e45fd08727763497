import { type Contract, type Route, routesOf } from '@community/contract'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from './context.ts'
import type { Keep } from './kept-answers.ts'

export interface Call {
  /** The procedure's name, such as `teams.list`. */
  path: string
  input: unknown
  ctx: Context
  request: FastifyRequest
  batchIndex?: number
}

/** How both doors call the procedures. */
export interface Procedures {
  call(call: Call, type: 'query' | 'mutation'): Promise<unknown>
  /** A query's data as JSON. `key` names the door and all it was told. */
  json(call: Call, key: string): Promise<Buffer>
}

/** All that an answer which is kept may know of its caller; undefined where it is not to be kept for this one. */
function audienceOf({ user, tokenRefused }: Context, kept: Route['kept'] | undefined): string | undefined {
  if (!kept || tokenRefused) return undefined
  if (!user) return 'visitor'
  return kept === 'by role' ? user.role : undefined
}

/** Answers are kept where the contract says so. */
export function proceduresOf(contract: Contract, router: AnyTRPCRouter, keep: Keep): Procedures {
  const routes = new Map(routesOf(contract))
  const call: Procedures['call'] = ({ path, input, ctx, request, batchIndex = 0 }, type) =>
    callTRPCProcedure({
      router,
      path,
      type,
      ctx,
      input: undefined,
      getRawInput: async () => input,
      signal: request.signal,
      batchIndex,
    })
  return {
    call,
    json(asked, key) {
      const make = async () => Buffer.from(JSON.stringify(await call(asked, 'query')))
      const audience = audienceOf(asked.ctx, routes.get(asked.path)?.kept)
      return audience === undefined ? make() : keep(`${audience} ${key}`, make)
    },
  }
}
