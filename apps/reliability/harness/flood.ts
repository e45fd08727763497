// A separate process, so that the flood does not slow down the measuring one. The parent sends the options and requests the counts.
import { Agent, request } from 'undici'

/** The kinds of requests in a flood, with the status of an answer within the limits. */
export const FLOODS = {
  'unknown fields': 200,
  'streamed answers': 400,
  'unique inputs': 200,
  'beside an unknown name': 207,
} as const
export type FloodKind = keyof typeof FLOODS
export type FloodCounts = Record<string, number>

export interface FloodOptions {
  port: number
  kind: FloodKind
  connections: number
  /** The client address, as a trusted proxy forwards it. */
  address: string
}

const random = (below: number) => Math.floor(Math.random() * below)
const any = <T>(values: readonly T[]) => values[random(values.length)]

/** Valid inputs of full pages: about four thousand different ones, more than the response cache holds. */
const uniqueInput = () => ({
  limit: 60 + random(41),
  page: 1 + random(3),
  sort: any(['name', 'members', 'points', 'challenges']),
  order: any(['asc', 'desc']),
  includeInactive: any([true, false]),
})
const unknownField = () => ({ limit: 100, [`x${random(1_000_000)}`]: 1 })

/** The path of a tRPC batch of ten. */
function batchOf(kind: FloodOptions['kind']): string {
  const names = Array.from({ length: 10 }, () => 'teams.list')
  if (kind === 'beside an unknown name') names[9] = 'no.such'
  const isUnique = kind === 'unique inputs' || kind === 'beside an unknown name'
  const inputs = names.map((_, index) => [index, isUnique ? uniqueInput() : unknownField()])
  return `/trpc/${names.join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)))}`
}

process.once('message', ({ port, kind, connections, address }: FloodOptions) => {
  const dispatcher = new Agent({ connections })
  const counts: FloodCounts = {}
  const headers = {
    'x-forwarded-for': address,
    ...(kind === 'streamed answers' && { 'trpc-accept': 'application/jsonl' }),
  }
  const flood = async () => {
    for (;;) {
      const url = `http://127.0.0.1:${port}${batchOf(kind)}`
      const status = await request(url, { dispatcher, headers }).then(
        ({ statusCode, body }) => body.dump().then(() => statusCode),
        () => 'no answer',
      )
      // The parent waits for the first response.
      if (Object.keys(counts).length === 0) process.send?.(counts)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  for (let number = 0; number < connections; number++) void flood()
  process.on('message', () => process.send?.(counts))
})
