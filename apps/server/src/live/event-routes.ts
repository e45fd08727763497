import {
  appErrors,
  limits,
  LIVE_TOPIC_NAMES,
  LIVE_TOPICS,
  type LiveTopic,
  LiveInput,
  withMessage,
} from '@community/contract'
import { TRPCError } from '@trpc/server'
import type { FastifyPluginAsync } from 'fastify'
import type { Context, CreateContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { acquireAll, createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { READ_COST, type ReadLimit } from '../http/read-limit.ts'
import type { Client, Clients } from '../http/rate-limit-client.ts'
import { isResponseFinished, onResponseFinished } from '../http/response-finished.ts'
import { assertAdmin } from '../personal-tokens/assert-scope.ts'
import { auditRead } from '../personal-tokens/audit-reads.ts'
import { parseCursor } from './cursor.ts'
import { EVENTS_PATH } from '../http/event-path.ts'
import { createQueryParser, repeatedQueryError } from '../rest/query-parser.ts'
import type { Live } from './live.ts'
import { createStream } from './stream.ts'

/** Seconds after which a client beyond its own limit may try again. */
const COOLDOWN_SECONDS = 30

const parseQuery = createQueryParser(LiveInput)

const tooManyStreams = withMessage(appErrors.tooManyRequests, 'Too many open streams. Close one and try again.')

/** The requested topics, or all that the caller may follow; throws for a requested one that they may not. */
function topicsFor(ctx: Context, requested: readonly LiveTopic[] | undefined): Set<LiveTopic> {
  const canFollow = (topic: LiveTopic): boolean => {
    const { access } = LIVE_TOPICS[topic]
    return access === 'visitor' || (ctx.user !== null && (access === 'member' || ctx.user.role === 'admin'))
  }
  for (const topic of requested ?? []) {
    if (LIVE_TOPICS[topic].access === 'member' && !ctx.user) throw new AppError(appErrors.notSignedIn)
    if (LIVE_TOPICS[topic].access === 'admin') assertAdmin(ctx)
  }
  return new Set((requested ?? LIVE_TOPIC_NAMES).filter(canFollow))
}

interface EventOptions {
  live: Live
  createContext: CreateContext
  clients: Clients
  readLimit: ReadLimit
}

/** `GET /events`: what changes, as Server-Sent Events. Exempt from the limits on concurrent requests and from the response timeout. */
export const eventRoutes: FastifyPluginAsync<EventOptions> = async (app, options) => {
  const { live, createContext, clients, readLimit } = options
  const { person, address, site, visitors, total } = limits.STREAMS_MAX
  const limiters = {
    person: createConcurrencyLimiter({ perClient: person, max: Infinity, maxWaiting: 0 }),
    address: createConcurrencyLimiter({ perClient: address, max: Infinity, maxWaiting: 0 }),
    site: createConcurrencyLimiter({ perClient: site, max: Infinity, maxWaiting: 0 }),
    // The rest of the total is for signed-in users.
    visitors: createConcurrencyLimiter({ max: visitors, maxWaiting: 0 }),
    total: createConcurrencyLimiter({ max: total, maxWaiting: 0 }),
  }

  /** Throws 429 beyond the limits of the client and 503 beyond those of the process. */
  async function acquireStream(user: Context['user'], { key, site: siteKey }: Client): Promise<() => void> {
    const own = user
      ? acquireAll([[limiters.person, user.id]])
      : acquireAll([
          [limiters.address, key],
          [limiters.site, siteKey],
        ])
    const ownLease = await own.catch(() => {
      throw new AppError(tooManyStreams, { cooldown: COOLDOWN_SECONDS })
    })
    const shared = user ? [limiters.total] : [limiters.visitors, limiters.total]
    const sharedLease = await acquireAll(shared.map((limiter) => [limiter, ''])).catch((error: unknown) => {
      ownLease.release()
      throw error
    })
    return () => {
      ownLease.release()
      sharedLease.release()
    }
  }

  app.addHook('preHandler', async (request) => readLimit.admit(request, 1))
  app.addHook('onSend', async (request, reply) => void reply.headers(readLimit.headersOf(request, reply)))
  app.addHook('preClose', async () => live.close())

  app.get(EVENTS_PATH, { exposeHeadRoute: false, config: { isPublic: true } }, async (request, reply) => {
    const ctx = await createContext(request, reply)
    if (ctx.tokenError) throw new AppError(ctx.tokenError)
    ctx.chargeRead?.(READ_COST.database)
    const { values, repeated } = parseQuery(request.query as Record<string, string>)
    const input = LiveInput.safeParse(values)
    const invalid = repeatedQueryError(LiveInput, values, repeated)
    if (invalid) throw invalid
    if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error })
    const topics = topicsFor(ctx, input.data.topics)
    await auditRead(ctx, 'events')

    const { user } = ctx
    const release = await acquireStream(user, clients.of(request))
    const lastEventId = request.headers['last-event-id']
    const { raw: response } = reply
    const stream = createStream({
      response,
      caller: user && { id: user.id, role: user.role, familyId: user.familyId, personalToken: user.personalToken },
      topics,
      resumeFrom: typeof lastEventId === 'string' ? parseCursor(lastEventId) : undefined,
      onEvent: live.onEvent,
    })
    reply.hijack()
    onResponseFinished(request, reply, () => {
      live.remove(stream)
      release()
    })
    response.writeHead(200, {
      ...reply.getHeaders(),
      ...readLimit.headersOf(request, reply),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A draining server waits for keep-alive connections.
      connection: 'close',
      // nginx would buffer events.
      'x-accel-buffering': 'no',
    } as Record<string, string>)
    response.write(':\n\n')
    // The client may have disconnected while the stream was opened.
    if (!isResponseFinished(request, reply) && !live.add(stream)) stream.end()
  })
}
