import { type Contract, appErrors, routesOf } from '@community/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RESPONSE_TIMEOUT_MS } from './response-timeout.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { fastifyPath } from '../rest/routes.ts'
import { isResponseFinished, onResponseFinished } from './response-finished.ts'
import type { Client, Clients } from './rate-limit-client.ts'
import { acquireAll, type AcquireOptions, createConcurrencyLimiter, type Lease } from './concurrency-limit.ts'
import type { ReadLimit } from './read-limit.ts'

/** Runs a procedure once the request has a unit for it. */
export type RunProcedure = <T>(work: () => Promise<T>) => Promise<T>

export interface RequestLimits {
  /** Adds the limits to a Fastify scope. Call it before the scope's routes are declared. */
  addHooks(app: FastifyInstance): void
  /** Runs a request's work and releases its units when it settles: for a hook that responds instead of the handler. */
  run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>
  /**
   * For routes without the hooks, which transfer files and would hold units meanwhile: holds a unit only during `query`, the request's
   * first access to the database. Throws 429 if the client's are in use for the whole wait, 503 if all are or the client has
   * disconnected.
   */
  limitFirstQuery<T>(request: FastifyRequest, reply: FastifyReply, query: () => Promise<T>): Promise<T>
  /** Runs the procedures of a batch, no more at once than the request has units. */
  procedureRunner(request: FastifyRequest): RunProcedure
}

interface RequestLimitsOptions {
  contract: Contract
  config: Pick<Config, 'concurrentRequests'>
  clients: Clients
  readLimit: ReadLimit
  /** Procedures in a batch, at most. */
  maxBatchSize: number
}

/** Concurrent procedures in total and per site (an IPv4 address, an IPv6 /48), and how long a request waits for its units. */
const ORDINARY = { max: 256, perSite: 64, maxWaitMs: 2000 }
/** For procedures that hash a password: a low maximum lets the early ones finish when thousands arrive at once. */
const HASHING = { max: 32, perSite: 16, maxWaitMs: 4000 }
const HASHING_PER_CLIENT_MIN = 8
/**
 * For `limitFirstQuery`. A page requests all its pictures at once, so each waits as long as a response may take: half of that for its
 * client's units, half for those of the site and the process.
 */
const FIRST_QUERIES = { max: 32, perSite: 16, maxWaitMs: RESPONSE_TIMEOUT_MS / 2 }

type PerClient = Record<Client['kind'], number>

/**
 * Acquires the client's units, then its site's. All anonymous requests of an IP address are one client, so they cannot use up
 * the units of its site.
 */
function createLimiter({ max, perSite, maxWaitMs, ...perClient }: typeof ORDINARY & PerClient) {
  const unbounded = { max: Number.POSITIVE_INFINITY, maxWaitMs }
  const clientLimiters = {
    address: createConcurrencyLimiter({ ...unbounded, perClient: perClient.address }),
    person: createConcurrencyLimiter({ ...unbounded, perClient: perClient.person }),
  }
  // A site has at least what one of its clients may use.
  const perSiteMax = Math.max(perSite, perClient.address, perClient.person)
  const sites = createConcurrencyLimiter({ max, perClient: perSiteMax, maxWaitMs })
  return ({ kind, key, site }: Client, options: AcquireOptions): Promise<Lease> =>
    acquireAll(
      [
        [clientLimiters[kind], key],
        [sites, site],
      ],
      options,
    )
}

/** Returns whether a request hashes or verifies a password, over either transport. */
function createHashingCheck(contract: Contract): (request: FastifyRequest) => boolean {
  const hashing = new Set(
    routesOf(contract).flatMap(([name, { hashesPassword, requiresAdminPassword, method, path }]) =>
      hashesPassword || requiresAdminPassword ? [name, `${method} /api${fastifyPath(path)}`] : [],
    ),
  )
  return ({ method, params, routeOptions }) => {
    const { path = '' } = params as { path?: string }
    return hashing.has(`${method} ${routeOptions.url}`) || path.split(',').some((name) => hashing.has(name))
  }
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

export function createRequestLimits({
  contract,
  config,
  clients,
  readLimit,
  maxBatchSize,
}: RequestLimitsOptions): RequestLimits {
  const isHashing = createHashingCheck(contract)
  const { perIp: address, perUser: person } = config.concurrentRequests
  const ordinary = createLimiter({ ...ORDINARY, address, person })
  const hashing = createLimiter({
    ...HASHING,
    address: Math.max(HASHING_PER_CLIENT_MIN, address),
    person: Math.max(HASHING_PER_CLIENT_MIN, person),
  })
  const firstQueries = createLimiter({ ...FIRST_QUERIES, address, person })
  const leases = new WeakMap<FastifyRequest, Lease>()
  const running = new WeakSet<FastifyRequest>()

  /** The number of procedures in a request: a batch has several. */
  function countProcedures({ params, routeOptions }: FastifyRequest): number {
    const { path = '' } = params as { path?: string }
    return routeOptions.url?.startsWith('/trpc') ? Math.min(path.split(',').length, maxBatchSize) : 1
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const units = countProcedures(request)
    if (isRead(request)) await readLimit.admit(request, units)
    const whenGone = (leave: () => void) => onResponseFinished(request, reply, leave)
    const lease = await (isHashing(request) ? hashing : ordinary)(clients.of(request), { units, whenGone })
    leases.set(request, lease)
    // The client has disconnected or the response timeout has responded.
    if (reply.sent || isResponseFinished(request, reply)) {
      lease.release()
      throw new AppError(appErrors.unavailable)
    }
  }
  /** Releases in the next iteration of the event loop, so that a client cannot run more procedures in one than it has units. */
  function release(request: FastifyRequest): void {
    const lease = leases.get(request)
    if (lease) setImmediate(lease.release)
  }

  /** Releases the units when the work settles, even if the client has disconnected before. */
  async function run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    running.add(request)
    try {
      return await work()
    } finally {
      release(request)
    }
  }

  return {
    addHooks(app) {
      app.addHook('onRoute', (route) => {
        const { handler } = route
        route.handler = function admitted(request, reply) {
          return run(request, async () => handler.call(this, request, reply))
        }
      })
      app.addHook('preHandler', admit)
      app.addHook('onSend', (request, reply, _payload, done) => {
        // Rejected before the handler ran.
        if (!running.has(request)) release(request)
        if (isRead(request)) void reply.headers(readLimit.headersOf(request, reply))
        done()
      })
    },
    run,
    async limitFirstQuery(request, reply, query) {
      const whenGone = (leave: () => void) => onResponseFinished(request, reply, leave)
      const lease = await firstQueries(clients.of(request), { whenGone })
      try {
        if (isResponseFinished(request, reply)) throw new AppError(appErrors.unavailable)
        return await query()
      } finally {
        lease.release()
      }
    },
    procedureRunner(request) {
      const { units } = leases.get(request) ?? { units: 1 }
      if (countProcedures(request) <= units) return (work) => work()
      const limiter = createConcurrencyLimiter({ max: units, maxWaitMs: RESPONSE_TIMEOUT_MS })
      return (work) => limiter.run('', work)
    },
  }
}
