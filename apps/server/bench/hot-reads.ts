import { median, quantile } from '@community/testing'
import { type Call, load, type Prepared } from './driver.ts'
import { processorTime, usedBetween } from './processor-time.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const CONNECTIONS = 16
const WARM_UP = 0.25

/** What is read often. What visitors ask for is answered from the response cache. */
export const READS = {
  leaderboard: { name: 'leaderboard, 100', path: '/api/teams/leaderboard?limit=100', isPublic: true },
  teams: { name: 'teams, 100', path: '/api/teams?limit=100', isPublic: true },
  challenges: { name: 'challenges, 50', path: '/api/challenges?limit=50', isPublic: true },
  works: { name: 'works, 100', path: '/api/submissions/approved?limit=100', isPublic: true },
  dashboard: { name: 'dashboard', path: '/api/users/dashboard', isPublic: false },
} as const
export type Read = (typeof READS)[keyof typeof READS]
export const ALL_READS: Read[] = Object.values(READS)
export const PUBLIC_READS = ALL_READS.filter(({ isPublic }) => isPublic)

/** The label of the product without its response cache. */
export const uncachedVariant = ({ isPublic }: Read): string => (isPublic ? 'product, not cached' : 'product')

export const callOf = ({ path, isPublic }: Read, { token }: Seeded): Call => ({ path, ...(!isPublic && { token }) })

/** One program under one kind of request. */
export interface ReadScenario {
  read: string
  /** Who answers. */
  variant: string
  program: Program
  request: Prepared
}

/** A scenario's figures over all rounds: the least CPU, medians of rate and times, the bytes of the last answer, all refusals. */
export interface ReadResult {
  read: string
  variant: string
  cpuMicros: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
  refused: number
}

type Round = Omit<ReadResult, 'read' | 'variant'>

async function measureRound({ program, request }: ReadScenario, seconds: number, postmaster: number): Promise<Round> {
  const { port, pid } = program
  const options = { port, connections: CONNECTIONS, next: () => request }
  await load({ ...options, seconds: WARM_UP })
  const before = processorTime(pid, postmaster)
  const { perSecond, refused, times, bytes } = await load({ ...options, seconds })
  return {
    cpuMicros: usedBetween(before, processorTime(pid, postmaster)) / 1000 / times.length,
    perSecond,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes,
    refused: Object.values(refused).reduce((sum, count) => sum + count, 0),
  }
}

/** Every round measures every scenario once, in turn forwards and backwards: what disturbs the machine disturbs all alike. */
export async function measureReads(
  scenarios: ReadScenario[],
  { rounds, seconds, postmaster }: { rounds: number; seconds: number; postmaster: number },
): Promise<ReadResult[]> {
  const found = new Map<ReadScenario, Round[]>(scenarios.map((one) => [one, []]))
  for (let round = 0; round < rounds; round++)
    for (const one of round % 2 === 0 ? scenarios : scenarios.toReversed())
      found.get(one)?.push(await measureRound(one, seconds, postmaster))
  return [...found].map(([{ read, variant }, of]) => ({
    read,
    variant,
    cpuMicros: Math.min(...of.map((round) => round.cpuMicros)),
    perSecond: median(of.map((round) => round.perSecond)),
    p50: median(of.map((round) => round.p50)),
    p99: median(of.map((round) => round.p99)),
    bytes: of.at(-1)?.bytes ?? 0,
    refused: of.reduce((sum, round) => sum + round.refused, 0),
  }))
}

async function answerOf({ port }: Program, { path, token = '' }: Call): Promise<unknown> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return answer.ok ? ((await answer.json()) as { data: unknown }).data : undefined
}

/** The path of the first value of `given` that `whole` lacks or has otherwise; further fields of `whole` do not count. Undefined if none. */
function differenceAt(given: unknown, whole: unknown, path = ''): string | undefined {
  if (typeof given !== 'object' || given === null || typeof whole !== 'object' || whole === null)
    return Object.is(given, whole) ? undefined : path
  if (Array.isArray(given) && Array.isArray(whole) && given.length !== whole.length) return `${path}.length`
  return Object.entries(given)
    .map(([key, value]) => differenceAt(value, (whole as Record<string, unknown>)[key], `${path}.${key}`))
    .find((difference) => difference !== undefined)
}

/** A bare program is a fair comparison only if its answer has at least this share of the product's JSON. */
const MIN_ANSWER_SHARE = 0.9

/**
 * Checks that a bare program does the product's work: all it answers is equal to the product's, and it is nearly all of it. A field
 * that the product gained since does not fail the bench. Throws where they differ.
 */
export async function checkSameAnswers(product: Program, bare: Program, reads: Read[], seeded: Seeded): Promise<void> {
  for (const read of reads) {
    const wanted = await answerOf(product, callOf(read, seeded))
    const answer = await answerOf(bare, callOf(read, seeded))
    const difference = differenceAt(answer ?? null, wanted)
    if (difference !== undefined) throw new Error(`${bare.name} answers ${read.name} otherwise at ${difference}`)
    const share = JSON.stringify(answer).length / JSON.stringify(wanted).length
    if (share < MIN_ANSWER_SHARE)
      throw new Error(
        `${bare.name} answers ${Math.round(share * 100)} % of ${read.name}: bring bare-parts.ts up to date`,
      )
  }
}
