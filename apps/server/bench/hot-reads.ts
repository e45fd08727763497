import { deepStrictEqual } from 'node:assert/strict'
import { type Call, encode, load, median, percentile } from './driver.ts'
import { processorTime, usedBetween } from './processor-time.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const CONNECTIONS = 16
const WARM_UP = 0.25

export const READS = {
  leaderboard: 'leaderboard, 100',
  cards: 'teams, 100, visitor',
  teams: 'teams, 100, member',
  challenges: 'challenges, 50',
  works: 'works, 100',
  dashboard: 'dashboard',
} as const
export type Read = keyof typeof READS
/** What visitors ask for. */
export const PUBLIC = ['leaderboard', 'cards', 'challenges', 'works'] as const satisfies Read[]
/** Does the product keep its answers? */
export const isKept = (read: Read): boolean => [...PUBLIC, 'teams'].some((one) => one === read)
/** How the product answers a read when it has kept nothing. */
export const madeAnew = (read: Read): string => (isKept(read) ? 'product, made anew' : 'product')

export const callOf = (read: Read, { token }: Pick<Seeded, 'token'>): Call =>
  ({
    leaderboard: { path: '/api/teams/leaderboard?limit=100' },
    cards: { path: '/api/teams?limit=100' },
    teams: { path: '/api/teams?limit=100', token },
    challenges: { path: '/api/challenges?limit=50' },
    works: { path: '/api/submissions/approved?limit=100' },
    dashboard: { path: '/api/users/dashboard', token },
  })[read]

const trpc = (name: string, input?: object) =>
  `/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`
/** The same procedures at the other door. */
export const trpcCallOf = (read: 'leaderboard' | 'works' | 'dashboard', { token }: Pick<Seeded, 'token'>): Call =>
  ({
    leaderboard: { path: trpc('teams.leaderboard', { limit: 100 }) },
    works: { path: trpc('submissions.approved', { limit: 100 }) },
    dashboard: { path: trpc('users.dashboard'), token },
  })[read]

/** One program under one kind of request. */
export interface Cell {
  /** What is asked for. */
  call: string
  /** Who answers. */
  variant: string
  program: Program
  next: () => Buffer
  connections: number
}

/** A cell's figures over all rounds. Processor time is the least of the rounds, the rest medians of them. */
export interface CellResult {
  call: string
  variant: string
  connections: number
  cpuMicros: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
  refused: number
}

export const cellOf = (
  call: string,
  variant: string,
  program: Program,
  asked: Call,
  connections = CONNECTIONS,
): Cell => {
  const request = encode(asked)
  return { call, variant, program, next: () => request, connections }
}

interface Round {
  cpuMicros: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
  refused: number
}

async function drive({ program, next, connections }: Cell, seconds: number, postmaster: number): Promise<Round> {
  const { port, pid } = program
  await load({ port, connections, seconds: WARM_UP, next })
  const before = processorTime(pid, postmaster)
  const { answered, refused, times, bytes, seconds: took } = await load({ port, connections, seconds, next })
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
export async function measureCells(
  cells: Cell[],
  { rounds, seconds, postmaster }: { rounds: number; seconds: number; postmaster: number },
): Promise<CellResult[]> {
  const found = new Map<Cell, Round[]>(cells.map((cell) => [cell, []]))
  for (let round = 0; round < rounds; round++)
    for (const cell of round % 2 === 0 ? cells : cells.toReversed())
      found.get(cell)?.push(await drive(cell, seconds, postmaster))
  return [...found].map(([{ call, variant, connections }, of]) => ({
    call,
    variant,
    connections,
    cpuMicros: Math.min(...of.map((round) => round.cpuMicros)),
    perSecond: median(of.map((round) => round.perSecond)),
    p50: median(of.map((round) => round.p50)),
    p99: median(of.map((round) => round.p99)),
    bytes: of.at(-1)?.bytes ?? 0,
    refused: of.reduce((sum, round) => sum + round.refused, 0),
  }))
}

interface Listed {
  data: Record<string, unknown> & { pagination?: { total: number } }
}
async function answerOf({ port }: Program, { path, token }: Call): Promise<Listed> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...(headers && { headers }) })
  const { data } = (await answer.json()) as Listed
  // The bare programs say how many there are; where the next page begins they do not.
  return { data: { ...data, ...(data.pagination && { pagination: { total: data.pagination.total } }) } }
}

/** The bare programs are a limit only where they answer the same: fails where one does not. */
export async function checkSameAnswers(product: Program, others: Program[], seeded: Seeded): Promise<void> {
  for (const read of Object.keys(READS) as Read[]) {
    const wanted = await answerOf(product, callOf(read, seeded))
    for (const other of others)
      deepStrictEqual(await answerOf(other, callOf(read, seeded)), wanted, `${other.name} answers ${read} otherwise`)
  }
}
