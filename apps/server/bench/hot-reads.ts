import { median } from '@community/testing'
import { type Call, Client, dataOf } from '@community/testing/api-client'
import { load, loadWithCpu, type PreparedRequest } from './driver.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 0.25
/** Before a scenario's first round, so that V8 has compiled its code: afterwards a dashboard costs a third less CPU. */
const FIRST_WARM_UP_SECONDS = 3

export interface Read {
  name: string
  path: string
  isPrivate?: boolean
}
export const LISTS: Read[] = [
  { name: 'leaderboard, 100', path: '/teams/leaderboard?limit=100' },
  { name: 'teams, 100', path: '/teams?limit=100' },
  { name: 'challenges, 50', path: '/challenges?limit=50' },
  { name: 'works, 100', path: '/submissions/approved?limit=100' },
]
export const DASHBOARD: Read = { name: 'dashboard', path: '/users/dashboard', isPrivate: true }
export const READS = [...LISTS, DASHBOARD]

export const callOf = ({ path, isPrivate }: Read, { token }: Seeded): Call => ({
  line: `GET ${path}`,
  ...(isPrivate && { token }),
})

/** One program under one kind of request. */
export interface ReadScenario {
  read: string
  /** The program's label. */
  by: string
  program: Program
  request: PreparedRequest
}

/** A scenario's figures over all rounds: the minimum CPU time, the median rate, the size of the last response. */
export interface ReadResult {
  read: string
  by: string
  cpuMicros: number
  perSecond: number
  kilobytes: number
}

type Round = Omit<ReadResult, 'read' | 'by'>

/** Warms up one scenario and measures it once. */
export async function measureRound(
  { program, request }: ReadScenario,
  {
    seconds,
    warmUpSeconds = WARM_UP_SECONDS,
    postmaster,
  }: { seconds: number; warmUpSeconds?: number; postmaster: number },
): Promise<Round> {
  const options = { connections: CONNECTIONS, next: () => request }
  await load(program, { ...options, seconds: warmUpSeconds })
  const { cpuMicros, perSecond, bytes } = await loadWithCpu(program, postmaster, { ...options, seconds })
  return { cpuMicros, perSecond, kilobytes: bytes / 1000 }
}

/** Every round measures every scenario once, alternately forwards and backwards: other work on the machine affects all alike. */
export async function measureReads(
  scenarios: ReadScenario[],
  { rounds, seconds, postmaster }: { rounds: number; seconds: number; postmaster: number },
): Promise<ReadResult[]> {
  const found = new Map<ReadScenario, Round[]>(scenarios.map((scenario) => [scenario, []]))
  for (let round = 0; round < rounds; round++) {
    const warmUpSeconds = round === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS
    for (const scenario of round % 2 === 0 ? scenarios : scenarios.toReversed())
      found.get(scenario)?.push(await measureRound(scenario, { seconds, warmUpSeconds, postmaster }))
  }
  return [...found].map(([{ read, by }, results]) => ({
    read,
    by,
    cpuMicros: Math.min(...results.map((round) => round.cpuMicros)),
    perSecond: median(results.map((round) => round.perSecond)),
    kilobytes: results.at(-1)?.kilobytes ?? 0,
  }))
}

/** The path of the first value of `part` that `whole` lacks or that differs; undefined if there is none. */
function differenceAt(part: unknown, whole: unknown, path = ''): string | undefined {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null)
    return Object.is(part, whole) ? undefined : path
  if (Array.isArray(part) && Array.isArray(whole) && part.length !== whole.length) return `${path}.length`
  return Object.entries(part)
    .map(([key, value]) => differenceAt(value, (whole as Record<string, unknown>)[key], `${path}.${key}`))
    .find((difference) => difference !== undefined)
}

/** The bare server is a fair comparison only if its response has at least this share of the product's JSON. */
const MIN_SHARE = 0.9

/**
 * Checks that the bare server does the product's work: its fields equal the product's, and are nearly all of them. A new field of the
 * product does not fail the bench. Throws where they differ.
 */
export async function checkSameResponses(product: Program, bare: Program, seeded: Seeded): Promise<void> {
  const [productClient, bareClient] = [new Client(product.port, 1), new Client(bare.port, 1)]
  for (const read of READS) {
    const call = callOf(read, seeded)
    const [wanted, actual] = [await dataOf(productClient.call(call)), await dataOf(bareClient.call(call))]
    const difference = differenceAt(actual, wanted)
    if (difference !== undefined) throw new Error(`the bare server differs in ${read.name} at ${difference}`)
    const share = JSON.stringify(actual).length / JSON.stringify(wanted).length
    if (share < MIN_SHARE)
      throw new Error(`the bare server has ${Math.round(share * 100)} % of ${read.name}: update bare-statements.ts`)
  }
}
