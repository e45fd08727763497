import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import { contract, routesOf } from '@community/contract'
import { Pool } from 'undici'
import { type InputOf, type ProcedureName, validInput } from './valid-inputs.ts'

export interface ApiResponse {
  /** The request, such as `POST /teams`. */
  line: string
  /** 0 without a response: the connection was refused or lost, or timed out. */
  status: number
  /** The parsed body; null if it is not JSON; the code NO_ANSWER and a reason without a response. */
  body: any
  headers: Record<string, string | string[] | undefined>
  /** Milliseconds from the first byte sent to the last one received. */
  took: number
}

export interface CallOptions {
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
}
/** `line` is `POST /teams` (below `/api`) or, for tRPC, `POST /trpc/teams.create`. */
export type Call = CallOptions & { line: string }

/** Milliseconds that clients wait for a response. */
const TIMEOUT = 10_000

/** Yields all bytes but the last, then the last one once `mayFinish` resolves. */
async function* holdBackLastByte(bytes: Buffer, mayFinish: () => Promise<unknown>) {
  if (bytes.length > 1) yield bytes.subarray(0, -1)
  await mayFinish()
  yield bytes.subarray(-1)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A client with keep-alive connections, like a browser. */
export class Client {
  readonly #pool: Pool

  /** `server` is its port on this machine, or its origin. */
  constructor(server: number | string, connections = 64) {
    const timeouts = { headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT }
    const origin = typeof server === 'number' ? `http://127.0.0.1:${server}` : server
    this.#pool = new Pool(origin, { connections, ...timeouts })
  }

  call(call: Call | string, options: CallOptions = {}): Promise<ApiResponse> {
    return this.#send(typeof call === 'string' ? { line: call, ...options } : call)
  }

  /** Sends all requests at the same instant: each holds back its last byte until all others are sent. */
  async callConcurrently(calls: Call[]): Promise<ApiResponse[]> {
    await this.openConnections(calls.length)
    const gate = new EventEmitter().setMaxListeners(calls.length)
    let waiting = 0
    const mayFinish = async () => {
      if (++waiting === calls.length) setImmediate(() => gate.emit('open'))
      await once(gate, 'open', { signal: AbortSignal.timeout(TIMEOUT) })
    }
    return Promise.all(calls.map((call) => this.#send(call, mayFinish)))
  }

  /** Opens connections in advance. */
  async openConnections(connections: number): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.call('GET /health/live')))
  }

  async #send({ line, body, token, headers, signal }: Call, mayFinish?: () => Promise<unknown>): Promise<ApiResponse> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const startedAt = performance.now()
    const respond = (status: number, parsedBody: unknown, received: ApiResponse['headers'] = {}): ApiResponse => ({
      line,
      status,
      body: parsedBody,
      headers: received,
      took: performance.now() - startedAt,
    })
    try {
      if (!bytes) await mayFinish?.()
      const response = await this.#pool.request({
        method,
        path: path.startsWith('/trpc/') ? path : `/api${path}`,
        headers: {
          ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: bytes && mayFinish ? Readable.from(holdBackLastByte(bytes, mayFinish), { highWaterMark: 1 }) : bytes,
        ...(signal && { signal }),
      })
      return respond(response.statusCode, parseJson(await response.body.text()), response.headers)
    } catch (error) {
      return respond(0, { code: 'NO_ANSWER', reason: `${line}: ${String(error)}` })
    }
  }
}

let addresses = 0
/** Headers with an unused IP address, so that limits per address start at 0. Each Playwright worker has its own range. */
export function atNewAddress(): Record<string, string> {
  const number = (Number(process.env.TEST_WORKER_INDEX ?? 0) << 16) + ++addresses
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

export const fromNewAddress = (call: Call): Call => ({ ...call, headers: atNewAddress() })

export const isSuccess = ({ status }: Pick<ApiResponse, 'status'>): boolean => status >= 200 && status < 300

/** A 429 or 503 with a Retry-After header. */
export const isRetryLater = ({ status, headers }: ApiResponse): boolean =>
  (status === 503 || status === 429) && Number(headers['retry-after']) > 0

export const describeResponse = ({ status, body }: ApiResponse): string => `${status} ${JSON.stringify(body)}`

/** The status, and the code of an error: `201`, `409 TEAM_FULL`. */
export const outcomeOf = ({ status, body }: ApiResponse): string =>
  body?.code ? `${status} ${body.code}` : String(status)

/** Counts responses by their outcome. */
export function countOutcomes(responses: Iterable<ApiResponse>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of Array.from(responses, outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Sends all requests at the same instant, distributed over the servers. */
export async function callAcrossServers(clients: Client[], calls: Call[]): Promise<ApiResponse[]> {
  const pending = clients.map((client, nth) =>
    client.callConcurrently(calls.filter((_, index) => index % clients.length === nth)),
  )
  return (await Promise.all(pending)).flat()
}

export class UnexpectedResponse extends Error {}

/** The data of a successful response; throws `UnexpectedResponse`, which names the request, otherwise. */
export async function dataOf<T = any>(response: Promise<ApiResponse>): Promise<T> {
  const resolved = await response
  if (!isSuccess(resolved)) throw new UnexpectedResponse(`${resolved.line}: ${describeResponse(resolved)}`)
  return resolved.body.data as T
}

const routes = new Map(routesOf(contract))

/** A valid REST request for a procedure, with its path parameters filled in and the other fields as body. */
export function requestOf<N extends ProcedureName>(
  name: N,
  fields: Partial<InputOf<N>> = {},
  caller?: { token: string },
) {
  const route = routes.get(name)
  if (!route) throw new Error(`there is no ${name}`)
  const body: Record<string, unknown> = route.input ? { ...(validInput(name, fields) as object) } : {}
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = String(body[word])
    delete body[word]
    return value
  })
  return { line: `${route.method} ${path}`, body, token: caller?.token } satisfies Call
}
