import type { Contract } from '@community/contract'
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

/** Visitors' answers are kept where the contract says so. */
export function proceduresOf(contract: Contract, router: AnyTRPCRouter, keep: Keep): Procedures {
  const isKept = (path: string): boolean => {
    const [domain = '', name = ''] = path.split('.')
    return contract[domain]?.[name]?.kept ?? false
  }
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
      const isVisitor = asked.request.headers.authorization === undefined
      return isVisitor && isKept(asked.path) ? keep(key, make) : make()
    },
  }
}
