// A process of its own, so that the flood takes no time from the one that measures. Its parent sends the options and counts the answers.
import http from 'node:http'
import process from 'node:process'

/** What each request of the flood asks for. */
export type FloodKind = 'unknown fields' | 'streamed answers' | 'unique inputs' | 'beside an unknown name'

export interface FloodOptions {
  port: number
  kind: FloodKind
  connections: number
  /** The address the flood comes from, as a trusted proxy tells it. */
  address: string
}

const SORTS = ['name', 'members', 'points', 'challenges']
const random = (below: number) => Math.floor(Math.random() * below)

/** Valid inputs of full pages: some four thousand different ones, more than the server's cache holds. */
const uniqueInput = () => ({
  limit: 60 + random(41),
  page: 1 + random(3),
  sort: SORTS[random(SORTS.length)],
  order: random(2) ? 'asc' : 'desc',
  includeInactive: random(2) === 1,
})
const isUnique = (kind: FloodKind) => kind === 'unique inputs' || kind === 'beside an unknown name'
const inputOf = (kind: FloodKind): object =>
  isUnique(kind) ? uniqueInput() : { limit: 100, [`x${random(1_000_000)}`]: 1 }

/** A tRPC batch of ten. */
function requestOf(kind: FloodKind): { path: string; headers: Record<string, string> } {
  const names = Array.from({ length: 10 }, () => 'teams.list')
  if (kind === 'beside an unknown name') names[9] = 'no.such'
  const input = JSON.stringify(Object.fromEntries(names.map((_, index) => [index, inputOf(kind)])))
  return {
    path: `/trpc/${names.join(',')}?batch=1&input=${encodeURIComponent(input)}`,
    headers: kind === 'streamed answers' ? { 'trpc-accept': 'application/jsonl' } : {},
  }
}

function flood({ port, kind, connections, address }: FloodOptions): void {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const answers: Record<string, number> = {}
  const next = () => {
    const { path, headers } = requestOf(kind)
    const again = (status: number | string) => {
      if (Object.keys(answers).length === 0) process.send?.(answers)
      answers[status] = (answers[status] ?? 0) + 1
      next()
    }
    http
      .get(
        { agent, host: '127.0.0.1', port, path, headers: { ...headers, 'x-forwarded-for': address } },
        (response) => {
          response.resume().on('close', () => again(response.statusCode ?? 0))
        },
      )
      .on('error', () => again('no answer'))
  }
  for (let number = 0; number < connections; number++) next()
  process.on('message', () => process.send?.(answers))
}

process.once('message', (options: FloodOptions) => flood(options))
