import { setTimeout as sleep } from 'node:timers/promises'
import { appErrors } from '@community/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { SITE_FACTOR } from './client-ip.ts'
import { AppError } from '../errors.ts'
import type { Client, Clients } from './rate-limit-client.ts'
import { createTokenBuckets } from './token-bucket.ts'

/** The cost of a read in units: from the response cache, from the database, with a search, of a table as CSV, and of an export. */
export const READ_COST = { cached: 1, database: 2, search: 10, table: 100, export: 600 }

/** Seconds in which an empty budget refills. */
export const WINDOW_SECONDS = 20
/** Milliseconds that a read waits for its budget. A 429 is delayed as long, to slow down clients that retry in a loop. */
const MAX_WAIT_MS = 1000

export interface ReadLimit {
  /** Charges the minimum cost of `reads`. Waits up to a second for the budget, then throws 429. */
  admit(request: FastifyRequest, reads: number): Promise<void>
  /** Charges the rest of a read once its actual cost is known; `cost` is the total. */
  charge(request: FastifyRequest, cost: number): void
  /** The `RateLimit` and `RateLimit-Policy` headers of a response. A 429 of any limit has no units left until its `Retry-After`. */
  headersOf(request: FastifyRequest, reply: FastifyReply): Record<string, string>
}

/** Whole seconds for `Retry-After`. */
const retryAfterSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

/** Whether a read's parsed input has a search term. */
export const isSearch = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'search' in input && Boolean(input.search)

/** Limits reads per IP address and per signed-in user, in this process's memory. */
export function createReadLimit({ readUnits }: Pick<Config, 'readUnits'>, clients: Clients): ReadLimit {
  const buckets = {
    address: createTokenBuckets({ capacity: readUnits.perIp, windowSeconds: WINDOW_SECONDS }),
    person: createTokenBuckets({ capacity: readUnits.perUser, windowSeconds: WINDOW_SECONDS }),
  }
  const sites = createTokenBuckets({ capacity: SITE_FACTOR * readUnits.perIp, windowSeconds: WINDOW_SECONDS })
  const policies = {
    address: `"address";q=${readUnits.perIp};w=${WINDOW_SECONDS}`,
    person: `"person";q=${readUnits.perUser};w=${WINDOW_SECONDS}`,
  }
  const waitFor = ({ kind, key, site }: Client, cost: number) =>
    Math.max(buckets[kind].millisecondsUntil(key, cost), kind === 'address' ? sites.millisecondsUntil(site, cost) : 0)
  const spend = ({ kind, key, site }: Client, cost: number) => {
    buckets[kind].spend(key, cost)
    if (kind === 'address') sites.spend(site, cost)
  }
  return {
    async admit(request, reads) {
      const client = clients.of(request)
      const cost = reads * READ_COST.cached
      const waitMs = waitFor(client, cost)
      if (waitMs <= MAX_WAIT_MS) spend(client, cost)
      if (waitMs > 0) await sleep(Math.min(waitMs, MAX_WAIT_MS))
      if (waitMs <= MAX_WAIT_MS) return
      throw new AppError(appErrors.tooManyRequests, { cooldown: retryAfterSeconds(waitMs) })
    },
    charge: (request, cost) => spend(clients.of(request), cost - READ_COST.cached),
    headersOf(request, reply) {
      const client = clients.of(request)
      const { remaining, secondsUntilFull } = buckets[client.kind].stateOf(client.key)
      const [left, seconds] =
        reply.statusCode === 429 ? [0, Number(reply.getHeader('retry-after'))] : [remaining, secondsUntilFull]
      return {
        'ratelimit-policy': policies[client.kind],
        ratelimit: `"${client.kind}";r=${left};t=${seconds}`,
      }
    },
  }
}
