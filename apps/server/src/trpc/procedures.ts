import { type Contract, type Route, routesOf } from '@community/contract'
import { type AnyTRPCRouter, callTRPCProcedure, type TRPCError } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { compress, type ContentCoding } from '../http/content-coding.ts'
import { createEtag, matchesEtag } from '../http/etag.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { auditRead } from '../personal-tokens/audit-reads.ts'

export interface ProcedureCall {
  /** The procedure's name, such as `teams.list`. */
  path: string
  input: unknown
  /** Thrown instead of parsing the input, after access is checked. */
  invalid?: TRPCError | undefined
  ctx: Context
  request: FastifyRequest
  batchIndex?: number
}

/** A transport’s encoding of a query’s data. */
interface BodyOptions {
  /** Part of the cache key: everything that `wrap` depends on. */
  variant: string
  /** Adds the transport's envelope. */
  wrap: (data: Buffer) => Buffer
  /** The coding that the client accepts. */
  coding: ContentCoding | undefined
  /** The ETags that the client has. */
  ifNoneMatch?: string | undefined
}

/** Values derived from the data of a response. */
interface DerivedValues {
  etag?: string
  nextCursor: string | undefined
  /** Compressed bodies by variant and coding. */
  compressed: Map<string, Promise<Buffer>>
}
const EMPTY = Buffer.alloc(0)
/** The minimum size in bytes to compress a response that is not cached: a shorter one fits into one packet. */
const COMPRESSED_BYTES_MIN = 1024

const nextCursorOf = (data: unknown): string | undefined =>
  (data as { pagination?: { nextCursor: string | null } } | null)?.pagination?.nextCursor ?? undefined

export interface Body {
  bytes: Buffer
  /** False if it may hold secrets: compression would leak them through its length (BREACH). */
  isCompressible: boolean
  /** Undefined when the bytes are not compressed. */
  coding?: ContentCoding | undefined
  /** Set for cached responses only; the same for all content codings. */
  etag?: string | undefined
  /** Set when the client has the current version; `bytes` is empty then. */
  isNotModified?: true
  /** Set unless the page is the last. */
  nextCursor?: string | undefined
}

/** Calls procedures; used by both transports. */
export interface Procedures {
  call(call: ProcedureCall, type: 'query' | 'mutation'): Promise<unknown>
  /** A query's response, from the response cache if the contract allows it; a compressed one is cached beside the data. */
  queryBody(call: ProcedureCall, options: BodyOptions): Promise<Body>
}

/** Whether the request has no token, valid or not, so that its response holds no secrets. */
const isVisitor = ({ user, tokenError }: Context): boolean => !user && !tokenError

/** The callers who share a cached response: visitors, or all users of a role. Undefined when it is not cached for this caller. */
function audienceOf({ user, tokenError }: Context, cached: Route['cached'] | undefined): string | undefined {
  if (!cached || tokenError) return undefined
  if (!user) return 'visitor'
  return cached === 'by role' ? user.role : undefined
}

/** The cache key of a query: equal for inputs that parse to the same value, over either transport. Undefined for invalid input. */
function cacheKey(path: string, { input: schema }: Route, audience: string, input: unknown = {}): string | undefined {
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
  /** An entry lives as long as its data in the cache. The cache does not count compressed copies, which are a fraction of the data. */
  const derivedByData = new WeakMap<Buffer, DerivedValues>()
  const createJson = async (query: ProcedureCall) => {
    const data = await call(query, 'query')
    const bytes = Buffer.from(JSON.stringify(data))
    derivedByData.set(bytes, { nextCursor: nextCursorOf(data), compressed: new Map() })
    return bytes
  }
  const derivedFrom = (data: Buffer): DerivedValues =>
    derivedByData.get(data) ?? { nextCursor: undefined, compressed: new Map() }
  const keyOf = ({ path, ctx, input, invalid }: ProcedureCall): string | undefined => {
    if (invalid) return undefined
    const route = routes.get(path)
    const audience = route && audienceOf(ctx, route.cached)
    return audience && cacheKey(path, route, audience, input)
  }
  return {
    call,
    async queryBody(query, { variant, wrap, coding, ifNoneMatch }) {
      await auditRead(query.ctx, query.path)
      const key = keyOf(query)
      if (key === undefined) {
        const data = await createJson(query)
        const bytes = wrap(data)
        const common = { isCompressible: isVisitor(query.ctx), nextCursor: derivedFrom(data).nextCursor }
        if (!coding || !common.isCompressible || bytes.length < COMPRESSED_BYTES_MIN) return { ...common, bytes }
        return { ...common, bytes: await compress(bytes, coding), coding }
      }
      const data = await cache(key, () => createJson(query))
      const derived = derivedFrom(data)
      // Hashes the content: the ETag survives writes that change nothing here, and is equal on all processes.
      derived.etag ??= createEtag(data)
      const { etag, nextCursor, compressed } = derived
      const common = { isCompressible: true, etag, nextCursor }
      if (matchesEtag(etag, ifNoneMatch)) return { ...common, bytes: EMPTY, isNotModified: true }
      if (!coding) return { ...common, bytes: wrap(data) }
      const bytes = compressed.get(`${variant} ${coding}`) ?? compress(wrap(data), coding)
      compressed.set(`${variant} ${coding}`, bytes)
      return { ...common, bytes: await bytes, coding }
    },
  }
}
