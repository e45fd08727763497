import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueName } from '@community/testing'
import { type GuaranteeContext, inMs } from '../guarantee.ts'
import {
  type ApiResponse,
  type Call,
  type Client,
  describeResponse,
  isRetryLater,
  isSuccess,
} from '@community/testing/api-client'
import { teamForm } from './community.ts'
import type { Fixture } from './fixture.ts'
import { repeat, until } from './repeat.ts'

export interface LoadOptions {
  writers?: number
  readers?: number
  /** Milliseconds an answer may take, whatever it says. */
  answersWithin?: number
  /** Which answers are allowed besides successes; 503 that say when to come back if not given. */
  allows?: (answer: ApiResponse) => boolean
  /** Who is asked in which turn; undefined: nobody for now. */
  clientFor?: (turn: number) => Client | undefined
  /** Called with every answer and the instant (of `performance.now`) at which its request began. */
  onAnswer?: (answer: ApiResponse, began: number) => void
}

export interface FaultOutcome {
  /** While it lasted. */
  successes: number
  /** Milliseconds of the slowest answer since it began. */
  slowest: number
  /** Milliseconds from its end until ten more succeeded. */
  recovery: number
}

export interface Load {
  answers: number
  successes: number
  acknowledged: Set<string>
  /** Answers of 503: the database is away for now. */
  refusals: number
  /** Milliseconds of the slowest answer. */
  slowest: number
  /** Waits for so many more successes and resolves with the milliseconds it took; throws after `timeout`. */
  untilMore(count: number, timeout?: number): Promise<number>
  /** Waits for ten successes and begins a fault, which lasts so many milliseconds; `begin` resolves with what ends it. */
  underFault(milliseconds: number, begin: () => Promise<() => unknown>): Promise<FaultOutcome>
  /**
   * Lets the requests under way end. What was acknowledged must be stored, and what is stored must have been sent. Resolves with how many
   * writes are stored.
   */
  end(): Promise<number>
  figures(): Record<string, number | string>
}

/** Members who create teams, each in a transaction of several statements, and others who read, until it is ended. */
export async function startLoad(
  { clients, sql, createMembers }: Pick<Fixture, 'clients' | 'sql' | 'createMembers'>,
  { expect, expectWithin }: GuaranteeContext,
  { writers = 8, readers = 4, answersWithin = Infinity, allows, clientFor, onAnswer }: LoadOptions,
): Promise<Load> {
  const stop = new AbortController()
  const sent = new Set<string>()
  let slowestSinceFault = 0
  const load: Load = {
    answers: 0,
    successes: 0,
    acknowledged: new Set(),
    refusals: 0,
    slowest: 0,
    untilMore(count, timeout = 30_000) {
      const wanted = load.successes + count
      return until(`${count} more successes`, () => load.successes >= wanted, timeout)
    },
    async underFault(milliseconds, begin) {
      await load.untilMore(10)
      slowestSinceFault = 0
      const before = load.successes
      const end = await begin()
      await sleep(milliseconds)
      const successes = load.successes - before
      await end()
      const recovery = await load.untilMore(10)
      return { successes, slowest: slowestSinceFault, recovery }
    },
    async end() {
      stop.abort()
      await Promise.all(all)
      const rows = await sql<{ name: string }[]>`select name from teams where name like 'Written %'`
      const stored = new Set(rows.map(({ name }) => name))
      for (const name of load.acknowledged) expect(stored.has(name), `acknowledged and lost: ${name}`)
      for (const name of stored) expect(sent.has(name), `nobody wrote ${name}`)
      return stored.size
    },
    figures: () => ({
      successes: load.successes,
      'answered 503': load.refusals,
      'slowest answer': inMs(load.slowest),
    }),
  }

  async function isDone(client: Client, call: Call): Promise<boolean> {
    const began = performance.now()
    const answer = await client.call(call)
    load.answers++
    onAnswer?.(answer, began)
    load.slowest = Math.max(load.slowest, answer.took)
    slowestSinceFault = Math.max(slowestSinceFault, answer.took)
    expectWithin(answersWithin, answer.took, call.line)
    const isUnavailable = isRetryLater(answer) && answer.body?.code === 'UNAVAILABLE'
    if (isSuccess(answer)) load.successes++
    if (isUnavailable) load.refusals++
    const isAllowed = isSuccess(answer) || (allows ? allows(answer) : isUnavailable)
    expect(isAllowed, `${call.line}: ${describeResponse(answer)}`)
    return isSuccess(answer)
  }
  const [first] = clients
  if (!first) throw new Error('a fixture has a server')
  const form = await teamForm(first)
  const members = await createMembers(writers + readers)
  const all = members.map(({ token }, number) =>
    repeat(stop.signal, async (turn) => {
      const client = clientFor ? clientFor(number + turn) : clients[number % clients.length]
      if (!client) return sleep(20)
      const isWriter = number < writers
      const name = uniqueName('Written')
      if (isWriter) sent.add(name)
      const call = isWriter
        ? { line: 'POST /teams', token, body: { ...form, name } }
        : { line: turn % 2 ? 'GET /teams' : 'GET /users/profile', token }
      if (!(await isDone(client, call))) await sleep(20)
      else if (isWriter) load.acknowledged.add(name)
    }),
  )
  return load
}

/** Milliseconds of ordinary calls, one after the other; each must succeed. */
export async function timeCalls({ expect }: GuaranteeContext, client: Client, count: number): Promise<number[]> {
  const took: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const answer = await client.call(turn % 2 ? 'GET /teams' : 'GET /trpc/roles.list')
    expect(answer.status === 200, `an ordinary call is answered ${answer.status}`)
    took.push(answer.took)
  }
  return took
}
