// The one client of every measurement: undici, one request at a time on each connection.
import { median } from '@community/testing'
import { Client } from 'undici'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
}

/** A request as undici sends it: prepared once, sent often. */
export type Prepared = ReturnType<typeof prepare>

export const prepare = ({ method = 'GET', path, token, headers = {}, body }: Call) => ({
  method,
  path,
  headers: {
    ...headers,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  } as Record<string, string>,
  body: body ? JSON.stringify(body) : null,
})

export interface LoadOptions {
  port: number
  connections: number
  /** The duration, unless the requests run out before. */
  seconds: number
  /** The next request of a connection; undefined ends it. */
  next: (connection: number, round: number) => Prepared | undefined
}

export interface Load {
  perSecond: number
  /** Milliseconds of each response. */
  times: number[]
  /** Bytes of the last response's body. */
  bytes: number
}

/** Sends over several connections, each its next request after its last response. Throws if one is neither a success nor a 304. */
export async function load({ port, connections, seconds, next }: LoadOptions): Promise<Load> {
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
      bytes = (await body.arrayBuffer()).byteLength
      times.push(performance.now() - sent)
      if (statusCode >= 300 && statusCode !== 304)
        throw new Error(`${request.method} ${request.path} was answered ${statusCode}`)
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { perSecond: (times.length / (performance.now() - startedAt)) * 1000, times, bytes }
}

export const ratePerSecond = async (options: LoadOptions): Promise<number> => (await load(options)).perSecond

/** Measured values by name. */
export type Figures = Record<string, number>

/** Measures two figures in every round: the median of each, and of their ratio within a round. */
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
