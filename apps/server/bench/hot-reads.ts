import { type Call, load, median, percentile, type Prepared } from './driver.ts'
import { processorTime, usedBetween } from './processor-time.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const CONNECTIONS = 16
const WARM_UP = 0.25

export const READS = {
  leaderboard: 'leaderboard, 100',
  cards: 'teams, 100',
  challenges: 'challenges, 50',
  works: 'works, 100',
  dashboard: 'dashboard',
} as const
export type Read = keyof typeof READS
/** What visitors ask for; answered from the response cache. */
export const PUBLIC = ['leaderboard', 'cards', 'challenges', 'works'] as const satisfies Read[]
export const isCached = (read: Read): boolean => PUBLIC.some((one) => one === read)
/** The label of the product without its response cache. */
export const uncachedVariant = (read: Read): string => (isCached(read) ? 'product, not cached' : 'product')

export const callOf = (read: Read, { token }: Pick<Seeded, 'token'>): Call =>
  ({
    leaderboard: { path: '/api/teams/leaderboard?limit=100' },
    cards: { path: '/api/teams?limit=100' },
    challenges: { path: '/api/challenges?limit=50' },
    works: { path: '/api/submissions/approved?limit=100' },
    dashboard: { path: '/api/users/dashboard', token },
  })[read]

/** One program under one kind of request. */
export interface ReadScenario {
  /** What is asked for. */
  call: string
  /** Who answers. */
  variant: string
  program: Program
  request: Prepared
}

/** A cell's figures over all rounds: the least CPU, medians of rate and times, the bytes of the last answer, all refusals. */
export interface ReadResult {
  call: string
  variant: string
  cpuMicros: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
  refused: number
}

type Round = Omit<ReadResult, 'call' | 'variant'>

async function measureRound({ program, request }: ReadScenario, seconds: number, postmaster: number): Promise<Round> {
  const { port, pid } = program
  const options = { port, connections: CONNECTIONS, next: () => request }
  await load({ ...options, seconds: WARM_UP })
  const before = processorTime(pid, postmaster)
  const { answered, refused, times, bytes, seconds: took } = await load({ ...options, seconds })
  return {
    cpuMicros: usedBetween(before, processorTime(pid, postmaster)) / 1000 / times.length,
    perSecond: answered / took,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    bytes,
    refused: [...refused.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** Every round drives every cell once, in turn forwards and backwards: what disturbs the machine disturbs all alike. */
export async function measureReads(
  cells: ReadScenario[],
  { rounds, seconds, postmaster }: { rounds: number; seconds: number; postmaster: number },
): Promise<ReadResult[]> {
  const found = new Map<ReadScenario, Round[]>(cells.map((cell) => [cell, []]))
  for (let round = 0; round < rounds; round++)
    for (const cell of round % 2 === 0 ? cells : cells.toReversed())
      found.get(cell)?.push(await measureRound(cell, seconds, postmaster))
  return [...found].map(([{ call, variant }, of]) => ({
    call,
    variant,
    cpuMicros: Math.min(...of.map((round) => round.cpuMicros)),
    perSecond: median(of.map((round) => round.perSecond)),
    p50: median(of.map((round) => round.p50)),
    p99: median(of.map((round) => round.p99)),
    bytes: of.at(-1)?.bytes ?? 0,
    refused: of.reduce((sum, round) => sum + round.refused, 0),
  }))
}

async function answerOf({ port }: Program, { path, token }: Call): Promise<unknown> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...(headers && { headers }) })
  return ((await answer.json()) as { data: unknown }).data
}

/** The path of the first value of `given` that `whole` lacks or has otherwise; further fields of `whole` do not count. Undefined if none. */
export function differenceAt(given: unknown, whole: unknown, path = ''): string | undefined {
  if (typeof given !== 'object' || given === null || typeof whole !== 'object' || whole === null)
    return Object.is(given, whole) ? undefined : path
  if (Array.isArray(given) && Array.isArray(whole) && given.length !== whole.length) return `${path}.length`
  for (const [key, value] of Object.entries(given)) {
    const found = differenceAt(value, (whole as Record<string, unknown>)[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** A bare program is a fair comparison only if its answer has at least this share of the product's JSON. */
const MIN_ANSWER_SHARE = 0.9

/**
 * Checks that the bare programs do the product's work: all they answer is equal to the product's, and it is nearly all of it. A field
 * that the product gained since does not fail the bench. Throws where they differ.
 */
export async function checkSameAnswers(product: Program, others: Program[], seeded: Seeded): Promise<void> {
  for (const read of Object.keys(READS) as Read[]) {
    const wanted = await answerOf(product, callOf(read, seeded))
    for (const other of others) {
      const answer = await answerOf(other, callOf(read, seeded))
      const difference = differenceAt(answer, wanted)
      if (difference !== undefined) throw new Error(`${other.name} answers ${read} otherwise at ${difference}`)
      const share = JSON.stringify(answer).length / JSON.stringify(wanted).length
      if (share < MIN_ANSWER_SHARE)
        throw new Error(`${other.name} answers ${Math.round(share * 100)} % of ${read}: bring bare-parts.ts up to date`)
    }
  }
}
