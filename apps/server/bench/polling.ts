import { once } from 'node:events'
import http from 'node:http'
import { load, type Figures, prepare } from './driver.ts'
import { processorTime, usedBetween } from './processor-time.ts'
import type { Program } from './programs.ts'

const PATH = '/api/teams?limit=100'
const CONNECTIONS = 16

/** The bytes of a response as they arrive, with its headers. */
async function bytesReceived(port: number, headers: Record<string, string>): Promise<number> {
  const [response] = (await once(http.get({ port, path: PATH, headers, agent: false }), 'response')) as [
    http.IncomingMessage,
  ]
  const { socket } = response
  await once(response.resume(), 'end')
  return socket.bytesRead
}

/** A poller of 100 teams while nothing changes: without compression, with it, and with the ETag of its last response. */
export async function measurePolling({
  product,
  postmaster,
  rounds,
  seconds,
}: {
  product: Program
  postmaster: number
  rounds: number
  seconds: number
}): Promise<Figures> {
  const first = await fetch(`http://127.0.0.1:${product.port}${PATH}`)
  await first.arrayBuffer()
  const pollers: Record<string, Record<string, string>> = {
    plain: {},
    brotli: { 'accept-encoding': 'br' },
    ETag: { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag') ?? '' },
  }
  const figures: Figures = {}
  for (let round = 0; round < rounds; round++)
    for (const [name, headers] of Object.entries(pollers)) {
      const request = prepare({ path: PATH, headers })
      const before = processorTime(product.pid, postmaster)
      const { times } = await load({ port: product.port, connections: CONNECTIONS, seconds, next: () => request })
      const micros = usedBetween(before, processorTime(product.pid, postmaster)) / 1000 / times.length
      const figure = `poll of 100 teams, ${name}: CPU µs`
      figures[figure] = Math.min(figures[figure] ?? Infinity, micros)
    }
  for (const [name, headers] of Object.entries(pollers))
    figures[`poll of 100 teams, ${name}: bytes`] = await bytesReceived(product.port, headers)
  return figures
}
