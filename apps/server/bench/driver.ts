// The one client of every measurement: undici, one request at a time on each connection.
import { median } from '@community/testing'
import type { Call } from '@community/testing/api-client'
import { Client } from 'undici'
import { processorTime, usedBetween } from './processor-time.ts'
import type { Program } from './programs.ts'

/** A request as undici sends it: prepared once, sent often. */
export type PreparedRequest = ReturnType<typeof prepare>

export function prepare({ line, token, headers = {}, body }: Call) {
  const [method = 'GET', path = ''] = line.split(' ')
  return {
    method,
    path: path.startsWith('/trpc/') ? path : `/api${path}`,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    } as Record<string, string>,
    body: body === undefined ? null : JSON.stringify(body),
  }
}

export interface LoadOptions {
  connections: number
  /** The duration, unless the requests run out before. */
  seconds: number
  /** The next request of a connection; undefined ends it. */
  next: (connection: number, round: number) => PreparedRequest | undefined
}

interface LoadResult {
  perSecond: number
  /** The time of each response in milliseconds. */
  times: number[]
  /** Bytes of the last response's body. */
  bytes: number
}

/** Sends requests over several connections; each waits for the response before it sends the next. Throws unless all are a success or a 304. */
export async function load(
  { port }: Pick<Program, 'port'>,
  { connections, seconds, next }: LoadOptions,
): Promise<LoadResult> {
  const times: number[] = []
  let bytes = 0
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const work = async (_: unknown, connection: number) => {
    const client = new Client(`http://127.0.0.1:${port}`)
    for (let round = 0; performance.now() < end; round++) {
      const request = next(connection, round)
      if (!request) break
      const sent = performance.now()
      const { statusCode, body } = await client.request(request)
      const response = await body.arrayBuffer()
      bytes = response.byteLength
      times.push(performance.now() - sent)
      if (statusCode >= 300 && statusCode !== 304)
        throw new Error(
          `${request.method} ${request.path} was answered ${statusCode}: ${Buffer.from(response).toString()}`,
        )
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { perSecond: (times.length / (performance.now() - startedAt)) * 1000, times, bytes }
}

export const ratePerSecond = async (program: Program, options: LoadOptions): Promise<number> =>
  (await load(program, options)).perSecond

/** Like `load`, with the CPU time per request of the server and PostgreSQL in microseconds. */
export async function loadWithCpu(program: Program, postmaster: number, options: LoadOptions) {
  const before = processorTime(program.pid, postmaster)
  const found = await load(program, options)
  const used = usedBetween(before, processorTime(program.pid, postmaster))
  return { ...found, cpuMicros: used / 1000 / found.times.length }
}

/** Measured values by name. */
export type Figures = Record<string, number>

/** Measures two figures in every round. Returns the median of each and the median of their ratio within a round. */
export async function compare(
  rounds: number,
  [firstName, secondName]: [string, string],
  measure: () => Promise<[number, number]>,
): Promise<Figures> {
  const found: [number, number][] = []
  for (let round = 0; round < rounds; round++) found.push(await measure())
  return {
    [firstName]: median(found.map(([first]) => first)),
    [secondName]: median(found.map(([, second]) => second)),
    [`${firstName}, ratio`]: median(found.map(([first, second]) => first / second)),
  }
}

/**
 * Measures two programs, one after the other in each round; which of them is first alternates. Returns table cells: each program's minimum,
 * and the median and the range of second ÷ first.
 */
export async function compareInTurns<P>(
  rounds: number,
  programs: readonly [P, P],
  measure: (program: P, round: number) => Promise<number>,
): Promise<string[]> {
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      found[index].push(await measure(programs[index], round))
  const [first, second] = found
  const ratios = second.map((used, round) => used / (first[round] ?? NaN))
  const least = found.map((used) => Math.min(...used).toFixed(0))
  return [...least, median(ratios).toFixed(2), `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`]
}
