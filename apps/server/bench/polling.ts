import { once } from 'node:events'
import http from 'node:http'
import { type Figures, loadWithCpu, prepare } from './driver.ts'
import type { Program } from './programs.ts'

const PATH = '/teams?limit=100'
const CONNECTIONS = 16

/** Requests the list and returns the bytes received, headers included. */
async function bytesReceived(port: number, headers: Record<string, string>): Promise<number> {
  const [response] = (await once(http.get({ port, path: `/api${PATH}`, headers, agent: false }), 'response')) as [
    http.IncomingMessage,
  ]
  const { socket } = response
  await once(response.resume(), 'end')
  return socket.bytesRead
}

/** Measures polling 100 teams while nothing changes: without compression, with it, and with the ETag of the last response. */
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
  const first = await fetch(`http://127.0.0.1:${product.port}/api${PATH}`)
  await first.arrayBuffer()
  const pollers: Record<string, Record<string, string>> = {
    plain: {},
    brotli: { 'accept-encoding': 'br' },
    ETag: { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag') ?? '' },
  }
  const figures: Figures = {}
  for (let round = 0; round < rounds; round++)
    for (const [name, headers] of Object.entries(pollers)) {
      const request = prepare({ line: `GET ${PATH}`, headers })
      const options = { connections: CONNECTIONS, seconds, next: () => request }
      const { cpuMicros } = await loadWithCpu(product, postmaster, options)
      const figure = `poll of 100 teams, ${name}: CPU µs`
      figures[figure] = Math.min(figures[figure] ?? Infinity, cpuMicros)
    }
  for (const [name, headers] of Object.entries(pollers))
    figures[`poll of 100 teams, ${name}: bytes`] = await bytesReceived(product.port, headers)
  return figures
}
