// The one client of every measurement: undici, one request at a time on each connection.
import { median } from '@community/testing'
import { Client } from 'undici'

export interface Call {
  method?: 'GET' | 'POST'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
}

/** A request as undici sends it; prepared once, sent often. */
export interface Prepared {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body: string | null
}

export const prepare = ({ method = 'GET', path, token, headers = {}, body }: Call): Prepared => ({
  method,
  path,
  headers: {
    ...headers,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  },
  body: body ? JSON.stringify(body) : null,
})

export interface LoadOptions {
  port: number
  connections: number
  /** The end, unless the requests end before. */
  seconds: number
  /** The next request of a connection; undefined ends it. */
  next: (connection: number, turn: number) => Prepared | undefined
}

export interface Load {
  /** Answers below 300 a second. */
  perSecond: number
  /** Other answers, by status. */
  refused: Record<number, number>
  /** Milliseconds of each answer. */
  times: number[]
  /** Bytes of the last answer's body. */
  bytes: number
}

/** Sends over several connections, each its next request when the last is answered. */
export async function load({ port, connections, seconds, next }: LoadOptions): Promise<Load> {
  const found: Load = { perSecond: 0, refused: {}, times: [], bytes: 0 }
  let answered = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const work = async (_: unknown, connection: number) => {
    const client = new Client(`http://127.0.0.1:${port}`)
    for (let turn = 0; performance.now() < end; turn++) {
      const request = next(connection, turn)
      if (!request) break
      const sent = performance.now()
      const { statusCode, body } = await client.request(request)
      found.bytes = (await body.arrayBuffer()).byteLength
      found.times.push(performance.now() - sent)
      if (statusCode < 300) answered++
      else found.refused[statusCode] = (found.refused[statusCode] ?? 0) + 1
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { ...found, perSecond: (answered / (performance.now() - began)) * 1000 }
}

/** The same, where no request may be refused. */
export async function loadWithSuccess(options: LoadOptions): Promise<Load> {
  const found = await load(options)
  const refused = Object.keys(found.refused)
  if (refused.length > 0) throw new Error(`requests were refused: ${refused.join(', ')}`)
  return found
}

export const ratePerSecond = async (options: LoadOptions): Promise<number> => (await loadWithSuccess(options)).perSecond

/** Measures a pair of figures in every round: the median of each, and of their ratio in each round. */
export async function compare(
  rounds: number,
  measure: () => Promise<[number, number]>,
): Promise<{ first: number; second: number; ratio: number }> {
  const found: [number, number][] = []
  for (let round = 0; round < rounds; round++) found.push(await measure())
  return {
    first: median(found.map(([first]) => first)),
    second: median(found.map(([, second]) => second)),
    ratio: median(found.map(([first, second]) => first / second)),
  }
}
