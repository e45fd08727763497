import { setTimeout as sleep } from 'node:timers/promises'
import { repeat, uniqueName, until } from '@community/testing'
import { type GuaranteeContext, inMs } from '../guarantee.ts'
import {
  type ApiResponse,
  atNewAddress,
  type CallOptions,
  type Client,
  describeResponse,
  isRetryLater,
  isSuccess,
} from '@community/testing/api-client'
import { teamForm } from '@community/testing/community'
import type { Fixture } from './fixture.ts'

export interface LoadOptions {
  writers?: number
  readers?: number
  /** Milliseconds between two calls of one client, whether or not the first is answered; by default each waits for its answer. */
  every?: number
  /** Milliseconds that any response may take. */
  respondsWithin?: number
  /** Responses allowed besides successes; by default a 503 with Retry-After. */
  allows?: (response: ApiResponse) => boolean
  /** The client of the next call; undefined if none is ready. */
  clientFor?: (index: number) => Client | undefined
  /** Called with every response and the time (of `performance.now`) of its request. */
  onResponse?: (response: ApiResponse, startedAt: number) => void
}

/** Starts members that create teams, each in a transaction of several statements, and others that read. */
export async function startLoad(
  { clients, sql, createMembers }: Pick<Fixture, 'clients' | 'sql' | 'createMembers'>,
  { expect, expectWithin }: GuaranteeContext,
  { writers = 8, readers = 4, every, respondsWithin = Infinity, allows, clientFor, onResponse }: LoadOptions,
) {
  const stop = new AbortController()
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()]
  let slowestSinceFault = 0
  /** `refusals`: 503 responses while the database is unavailable. `slowest`: in milliseconds. */
  const counts = { successes: 0, refusals: 0, slowest: 0 }
  /** Waits for `count` more successes; resolves with the milliseconds, throws after `timeout`. */
  const untilMore = (count: number, timeout = 30_000): Promise<number> => {
    const wanted = counts.successes + count
    return until(`${count} more successes`, () => counts.successes >= wanted, timeout)
  }

  /** Whether the call succeeded. */
  async function send(client: Client, line: string, options: CallOptions): Promise<boolean> {
    const startedAt = performance.now()
    const response = await client.call(line, options)
    onResponse?.(response, startedAt)
    counts.slowest = Math.max(counts.slowest, response.took)
    slowestSinceFault = Math.max(slowestSinceFault, response.took)
    expectWithin(respondsWithin, response.took, line)
    const isUnavailable = isRetryLater(response) && response.body?.code === 'UNAVAILABLE'
    if (isSuccess(response)) counts.successes++
    if (isUnavailable) counts.refusals++
    const isAllowed = isSuccess(response) || (allows ? allows(response) : isUnavailable)
    expect(isAllowed, `${line}: ${describeResponse(response)}`)
    return isSuccess(response)
  }
  const form = await teamForm(clients[0] as Client)
  const members = await createMembers(writers + readers)
  const underWay: Promise<unknown>[] = []
  const all = members.map(({ token }, number) => {
    const next = async (round: number) => {
      const client = clientFor ? clientFor(number + round) : clients[number % clients.length]
      if (!client) return sleep(20)
      if (number >= writers) {
        const isDone = await send(client, round % 2 ? 'GET /teams' : 'GET /users/profile', { token })
        return isDone ? undefined : sleep(20)
      }
      const name = uniqueName('Written')
      sent.add(name)
      if (await send(client, 'POST /teams', { token, body: { ...form, name } })) acknowledged.add(name)
      else await sleep(20)
    }
    if (every === undefined) return repeat(stop.signal, next)
    return repeat(stop.signal, async (round) => void underWay.push(next(round)), every)
  })
  return Object.assign(counts, {
    untilMore,
    /**
     * Waits for ten successes and begins a fault of `milliseconds`; `begin` resolves with a function that ends it. Resolves with the
     * successes during the fault, the slowest response since, and the milliseconds from the fault's end to ten more successes.
     */
    async underFault(milliseconds: number, begin: () => (() => unknown) | Promise<() => unknown>) {
      await untilMore(10)
      slowestSinceFault = 0
      const before = counts.successes
      const end = await begin()
      await sleep(milliseconds)
      const successes = counts.successes - before
      await end()
      const recovery = await untilMore(10)
      return { successes, slowest: slowestSinceFault, recovery }
    },
    /** Ends the load. Every acknowledged write must be stored, and every stored one sent; resolves with the number stored. */
    async end(): Promise<number> {
      stop.abort()
      await Promise.all(all)
      await Promise.all(underWay)
      const rows = await sql<{ name: string }[]>`select name from teams where name like 'Written %'`
      const stored = new Set(rows.map(({ name }) => name))
      for (const name of acknowledged) expect(stored.has(name), `acknowledged and lost: ${name}`)
      for (const name of stored) expect(sent.has(name), `nobody wrote ${name}`)
      return stored.size
    },
    figures: () => ({ successes: counts.successes, refused: counts.refusals, slowest: inMs(counts.slowest) }),
  })
}

/** The durations of sequential calls from a new IP address, in milliseconds; each must succeed. */
export async function timeCalls({ expect }: GuaranteeContext, client: Client, count: number): Promise<number[]> {
  const took: number[] = []
  const headers = atNewAddress()
  for (let round = 0; round < count; round++) {
    const response = await client.call(round % 2 ? 'GET /teams' : 'GET /trpc/roles.list', { headers })
    expect(response.status === 200, `an ordinary call is answered ${response.status}`)
    took.push(response.took)
  }
  return took
}
