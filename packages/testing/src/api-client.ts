import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import { contract, routesOf } from '@community/contract'
import { Pool } from 'undici'
import { type InputOf, type ProcedureName, validInput } from './valid-inputs.ts'

export interface ApiResponse {
  /** 0 where no answer came: the connection was refused, cut or silent. */
  status: number
  /** The parsed body, null where it is no JSON; the code NO_ANSWER and the reason where none came. */
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
/** `POST /teams` below `/api`, or of tRPC `POST /trpc/teams.create`. */
export type Call = CallOptions & { line: string }

/** Milliseconds a client of the product waits. */
const TIMEOUT = 10_000

/** All but the last byte, and that one once `mayFinish` resolves. */
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

/** A client that keeps its connections open, as browsers do. */
export class Client {
  readonly #pool: Pool

  constructor(port: number, connections = 64) {
    const timeouts = { headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT }
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections, ...timeouts })
  }

  call(call: Call | string, options: CallOptions = {}): Promise<ApiResponse> {
    return this.#send(typeof call === 'string' ? { line: call, ...options } : call)
  }

  /** All calls at once: each is held back by its last byte until the others are as far. */
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

  /** Opens so many connections. */
  async openConnections(connections: number): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.call('GET /health/live')))
  }

  async #send({ line, body, token, headers, signal }: Call, mayFinish?: () => Promise<unknown>): Promise<ApiResponse> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const began = performance.now()
    const respond = (status: number, parsedBody: unknown, received: ApiResponse['headers'] = {}): ApiResponse => ({
      status,
      body: parsedBody,
      headers: received,
      took: performance.now() - began,
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

export const isSuccess = ({ status }: Pick<ApiResponse, 'status'>): boolean => status >= 200 && status < 300

/** A refusal that is due to an overload or outage and says when to come back. */
export const isRetryLater = ({ status, headers }: ApiResponse): boolean =>
  (status === 503 || status === 429) && Number(headers['retry-after']) > 0

export const describeResponse = ({ status, body }: ApiResponse): string => `${status} ${JSON.stringify(body)}`

/** The status and, of a refusal, its code: `201`, `409 TEAM_FULL`. */
export const outcomeOf = ({ status, body }: ApiResponse): string =>
  body?.code ? `${status} ${body.code}` : String(status)

/** Counts answers by their outcome. */
export function countOutcomes(answers: Iterable<ApiResponse>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of Array.from(answers, outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** All calls at once, dealt out to the servers in turn. */
export async function callAcrossServers(clients: Client[], calls: Call[]): Promise<ApiResponse[]> {
  const dealt = clients.map((client, turn) =>
    client.callConcurrently(calls.filter((_, index) => index % clients.length === turn)),
  )
  return (await Promise.all(dealt)).flat()
}

export class UnexpectedResponse extends Error {}

/** The data of an answer that must be a success. */
export async function dataOf<T = any>(answer: Promise<ApiResponse>): Promise<T> {
  const found = await answer
  if (!isSuccess(found)) throw new UnexpectedResponse(describeResponse(found))
  return found.body.data as T
}

const routes = new Map(routesOf(contract))

/** A valid REST request of a procedure: its path filled in, the rest of its input as body. */
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
