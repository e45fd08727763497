import { appErrors, withMessage } from '@community/contract'
import type { AnyTRPCRouter, TRPCError } from '@trpc/server'
import { getHTTPStatusCode } from '@trpc/server/http'
import { getErrorShape } from '@trpc/server/shared'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { toTRPCError } from './errors.ts'
import type { Procedures } from './procedures.ts'
import type { CreateContext } from '../context.ts'

export interface QueryOptions {
  router: AnyTRPCRouter
  procedures: Procedures
  createContext: CreateContext
  requestLimits: Pick<RequestLimits, 'procedureRunner' | 'run'>
  maxBatchSize: number
  /** Headers of the whole answer, by its errors and how many calls it answers. */
  responseHeaders(errors: readonly TRPCError[], calls: number): Record<string, string>
  onError(told: { error: TRPCError; req: FastifyRequest }): void
}

const streamsRefused = withMessage(
  appErrors.validation,
  'Streamed answers are not supported: accept application/json, as httpBatchLink does',
)

/** Refuses what the official adapter would answer as a stream, which holds what it needs for as long as its reader likes. */
export function rejectStreams(app: FastifyInstance): void {
  // Not before the limits: a refusal costs what the calls would.
  app.addHook('preHandler', ({ headers }, _reply, done) => {
    const isStream = /application\/jsonl|text\/event-stream/i.test([headers['trpc-accept'], headers.accept].join())
    done(isStream ? new AppError(streamsRefused) : undefined)
  })
}

interface Asked {
  queries: { path: string; input: unknown }[]
  isBatch: boolean
}

/**
 * Answers plain queries, one or a batch, as the official adapter does, without its way through the objects of the Fetch standard, which
 * costs several times the call itself. Whatever else comes (a stream, an unknown name, malformed input) is left to the adapter.
 */
export function registerQueryHandler(app: FastifyInstance, options: QueryOptions): void {
  const { router, procedures, createContext, requestLimits, maxBatchSize, responseHeaders, onError } = options
  const config = router._def._config
  const known = new Set(
    Object.entries(router._def.procedures as Record<string, { _def: { type: string } }>).flatMap(([path, { _def }]) =>
      _def.type === 'query' ? [path] : [],
    ),
  )

  /** What is asked for; undefined where it is not for us. */
  function queriesOf({ method, headers, raw, params }: FastifyRequest): Asked | undefined {
    const { url = '' } = raw
    const isPlain = method === 'GET' && headers['trpc-accept'] === undefined
    // The adapter reads the address by the standard, together with the host.
    if (!isPlain || url.includes('#') || !URL.canParse(url, `http://${headers.host ?? 'localhost'}`)) return undefined
    const search = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
    if (search.has('connectionParams')) return undefined
    const isBatch = search.get('batch') === '1'
    const { path } = params as { path: string }
    const paths = isBatch ? path.split(',') : [path]
    if (paths.length > maxBatchSize || !paths.every((name) => known.has(name))) return undefined
    const inputs = parsed(search.get('input'))
    if (inputs === MALFORMED) return undefined
    if (!isBatch) return { queries: [{ path, input: inputs }], isBatch }
    if (inputs !== undefined && (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)))
      return undefined
    const byIndex = (inputs ?? {}) as Record<number, unknown>
    return { queries: paths.map((name, index) => ({ path: name, input: byIndex[index] })), isBatch }
  }

  async function answer({ queries, isBatch }: Asked, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const context = createContext(request, reply)
    const run = requestLimits.procedureRunner(request)
    const statuses: Status[] = []
    const errors: (TRPCError | undefined)[] = []
    const answers = await Promise.all(
      queries.map(async ({ path, input }, batchIndex) => {
        try {
          const ctx = await context
          const data = await run(() => procedures.queryJson({ path, input, ctx, request, batchIndex }))
          statuses[batchIndex] = { result: { data: null } }
          return Buffer.concat([RESULT, data, END])
        } catch (cause) {
          const error = toTRPCError(cause)
          onError({ error, req: request })
          const failure = { error: getErrorShape({ config, error, type: 'query', path, input, ctx: undefined }) }
          statuses[batchIndex] = failure
          errors[batchIndex] = error
          return Buffer.from(JSON.stringify(failure))
        }
      }),
    )
    // Who was answered meanwhile that it takes too long.
    if (reply.sent) return
    const failed = errors.filter((error) => error !== undefined)
    void reply
      .code(getHTTPStatusCode(statuses, errors))
      .headers({ vary: 'trpc-accept, accept', ...responseHeaders(failed, answers.length) })
      .type('application/json')
      .send(isBatch ? listOf(answers) : answers[0])
  }

  // Not an async hook: what waits for the end of the answer costs a tenth of it.
  app.addHook('preHandler', (request, reply, done) => {
    const asked = queriesOf(request)
    if (asked) requestLimits.run(request, () => answer(asked, request, reply)).catch(done)
    else done()
  })
}

type Status = Exclude<Parameters<typeof getHTTPStatusCode>[0], unknown[]>

const [RESULT, END] = [Buffer.from('{"result":{"data":'), Buffer.from('}}')]
const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

const listOf = (answers: Buffer[]): Buffer =>
  Buffer.concat([...answers.flatMap((answer, index) => [index === 0 ? OPEN : COMMA, answer]), CLOSE])

const MALFORMED = Symbol('malformed')

function parsed(text: string | null): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return MALFORMED
  }
}
