// The one client of every measurement: undici, one request at a time on each connection.
import { Client } from 'undici'

export interface Call {
  method?: 'GET' | 'POST'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
}

export interface Load {
  /** Answers below 300. */
  answered: number
  /** Other answers, by status. */
  refused: Map<number, number>
  seconds: number
  /** Milliseconds of each answer, ascending. */
  times: number[]
  /** Bytes of the last answer's body. */
  bytes: number
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

/** Sends one request on an own connection. Rejects when nobody listens. */
export async function sendOnce(port: number, call: Call): Promise<number> {
  const client = new Client(`http://127.0.0.1:${port}`)
  try {
    const { statusCode, body } = await client.request(prepare(call))
    await body.dump()
    return statusCode
  } finally {
    await client.destroy()
  }
}

export interface LoadOptions {
  port: number
  connections: number
  /** The end, unless the requests end before. */
  seconds: number
  /** The next request of a connection; undefined ends it. */
  next: (connection: number, turn: number) => Prepared | undefined
}

/** Sends over several connections, each its next request when the last is answered. */
export async function load({ port, connections, seconds, next }: LoadOptions): Promise<Load> {
  const times: number[] = []
  const refused = new Map<number, number>()
  let answered = 0
  let bytes = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const work = async (_: unknown, connection: number) => {
    const client = new Client(`http://127.0.0.1:${port}`)
    for (let turn = 0; performance.now() < end; turn++) {
      const request = next(connection, turn)
      if (!request) break
      const sent = performance.now()
      const { statusCode, body } = await client.request(request)
      bytes = (await body.arrayBuffer()).byteLength
      times.push(performance.now() - sent)
      if (statusCode < 300) answered++
      else refused.set(statusCode, (refused.get(statusCode) ?? 0) + 1)
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return {
    answered,
    refused,
    bytes,
    seconds: (performance.now() - began) / 1000,
    times: times.toSorted((a, b) => a - b),
  }
}

/** Requests answered per second. Throws when one was refused. */
export async function ratePerSecond(options: LoadOptions): Promise<number> {
  const { answered, refused, seconds } = await load(options)
  if (refused.size > 0) throw new Error(`requests were refused: ${[...refused.keys()].join(', ')}`)
  return answered / seconds
}

/** The value below which so large a share of a sorted list lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
