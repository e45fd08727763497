import { appErrors, type Contract, routesOf, withMessage } from '@community/contract'
import type { TRPCError } from '@trpc/server'
import { getHTTPStatusCode, getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { codingFor, compress, type ContentCoding } from '../http/content-coding.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { formatError, toTRPCError } from './errors.ts'
import type { Body, Procedures } from './procedures.ts'
import type { CreateContext } from '../context.ts'

interface QueryOptions {
  contract: Contract
  procedures: Procedures
  createContext: CreateContext
  requestLimits: Pick<RequestLimits, 'procedureRunner' | 'run'>
  maxBatchSize: number
  /** Headers of the response, by its errors and the number of its procedures. */
  responseHeaders(errors: readonly TRPCError[], procedureCount: number): Record<string, string>
  onError(failure: { error: TRPCError; req: FastifyRequest }): void
}

const streamsUnsupported = withMessage(appErrors.validation, 'Streaming is not supported. Accept application/json.')

/** Rejects requests for a streamed response: it would hold its resources for as long as the client reads. */
export function rejectStreams(app: FastifyInstance): void {
  // After the limits, so that rejected requests count too.
  app.addHook('preHandler', ({ headers }, _reply, done) => {
    const isStream = /application\/jsonl|text\/event-stream/i.test([headers['trpc-accept'], headers.accept].join())
    done(isStream ? new AppError(streamsUnsupported) : undefined)
  })
}

interface QueryRequest {
  queries: { path: string; input: unknown }[]
  isBatch: boolean
}

/**
 * Handles plain queries, single or batched, as the official adapter does but without its Fetch API objects, which cost several times the
 * procedure itself. Everything else (streams, unknown procedures, malformed input) is left to the adapter.
 */
export function registerQueryHandler(app: FastifyInstance, options: QueryOptions): void {
  const { contract, procedures, createContext, requestLimits, maxBatchSize, responseHeaders, onError } = options
  const queryNames = new Set(routesOf(contract).flatMap(([path, { method }]) => (method === 'GET' ? [path] : [])))

  /** The queries of a request; undefined when the adapter must handle it. */
  function parseQueries({ method, headers, raw, params }: FastifyRequest): QueryRequest | undefined {
    const { url = '' } = raw
    const isPlain = method === 'GET' && headers['trpc-accept'] === undefined
    // The adapter parses the URL together with the host, so it must reject the URLs that cannot be parsed.
    if (!isPlain || url.includes('#') || !URL.canParse(url, `http://${headers.host ?? 'localhost'}`)) return undefined
    const search = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
    if (search.has('connectionParams')) return undefined
    const isBatch = search.get('batch') === '1'
    const { path } = params as { path: string }
    const paths = isBatch ? path.split(',') : [path]
    if (paths.length > maxBatchSize || !paths.every((name) => queryNames.has(name))) return undefined
    const inputs = parseJson(search.get('input'))
    if (inputs === MALFORMED) return undefined
    if (!isBatch) return { queries: [{ path, input: inputs }], isBatch }
    if (inputs !== undefined && (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)))
      return undefined
    const byIndex = (inputs ?? {}) as Record<number, unknown>
    return { queries: paths.map((name, index) => ({ path: name, input: byIndex[index] })), isBatch }
  }

  async function respond(
    { queries, isBatch }: QueryRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const context = createContext(request, reply)
    const run = requestLimits.procedureRunner(request)
    const accepted = codingFor(request.headers['accept-encoding'])
    const statuses: Status[] = []
    const errors: (TRPCError | undefined)[] = []
    const bodies = await Promise.all(
      queries.map(async ({ path, input }, batchIndex): Promise<Body> => {
        try {
          const call = { path, input, ctx: await context, request, batchIndex }
          // A batch is compressed as a whole.
          const coding = isBatch ? undefined : accepted
          const body = await run(() => procedures.queryBody(call, { variant: 'trpc', wrap: wrapResult, coding }))
          statuses[batchIndex] = { result: { data: null } }
          return body
        } catch (cause) {
          const error = toTRPCError(cause)
          onError({ error, req: request })
          // Undefined if creating the context failed.
          const ctx = await context.catch(() => undefined)
          const { code, message } = error
          const data = { code, httpStatus: getHTTPStatusCodeFromError(error), path }
          const shape = { message, code: TRPC_ERROR_CODES_BY_KEY[code], data }
          const failure = { error: formatError({ shape, error, ctx }) }
          statuses[batchIndex] = failure
          errors[batchIndex] = error
          return { bytes: Buffer.from(JSON.stringify(failure)), isCompressible: false }
        }
      }),
    )
    const body = isBatch ? await joinBodies(bodies, accepted) : bodies[0]
    // Already answered by the response timeout.
    if (reply.sent || !body) return
    const failed = errors.filter((error) => error !== undefined)
    if (body.coding) void reply.header('content-encoding', body.coding)
    void reply
      .code(getHTTPStatusCode(statuses, errors))
      .headers({ vary: 'trpc-accept, accept, accept-encoding', ...responseHeaders(failed, bodies.length) })
      .type('application/json')
      .send(body.bytes)
  }

  // A callback hook: as an async hook, awaiting the response costs a tenth of the throughput.
  app.addHook('preHandler', (request, reply, done) => {
    const queries = parseQueries(request)
    if (queries) requestLimits.run(request, () => respond(queries, request, reply)).catch(done)
    else done()
  })
}

type Status = Exclude<Parameters<typeof getHTTPStatusCode>[0], unknown[]>

const [RESULT, END] = [Buffer.from('{"result":{"data":'), Buffer.from('}}')]
const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

const wrapResult = (data: Buffer): Buffer => Buffer.concat([RESULT, data, END])

/** A JSON array of serialized items, compressed when none of them holds secrets. */
async function joinBodies(bodies: readonly Body[], coding: ContentCoding | undefined): Promise<Body> {
  const parts = bodies.flatMap(({ bytes }, index) => [index === 0 ? OPEN : COMMA, bytes])
  const bytes = Buffer.concat([...parts, CLOSE])
  const isCompressible = bodies.every((body) => body.isCompressible)
  return isCompressible && coding
    ? { bytes: await compress(bytes, coding), isCompressible, coding }
    : { bytes, isCompressible }
}

const MALFORMED = Symbol('malformed')

function parseJson(text: string | null): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return MALFORMED
  }
}
