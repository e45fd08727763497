// The one client of every measurement: plain sockets that stay open and prebuilt requests, so that it costs little itself.
import { connect, type Socket } from 'node:net'

export interface Call {
  method?: 'GET' | 'POST'
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object
}

export interface Load {
  /** Answers of 2xx and 304. */
  answered: number
  /** Other answers, by status. */
  refused: Map<number, number>
  seconds: number
  /** Milliseconds of each answer, ascending. */
  times: number[]
  /** Bytes of the last answer's body. */
  bytes: number
}

/** A call as it goes over the wire. */
export function encode({ method = 'GET', path, token, headers = {}, body }: Call): Buffer {
  const text = body ? JSON.stringify(body) : ''
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(body ? ['content-type: application/json'] : []),
    ...(method === 'POST' ? [`content-length: ${Buffer.byteLength(text)}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

export interface Answer {
  status: number
  bytes: number
}

interface Head extends Answer {
  /** Bytes of the body that are still to come; null where the answer comes in chunks. */
  left: number | null
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = '0\r\n\r\n'

function headOf(text: string): Head {
  const status = Number(text.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
  const left = status === 304 || status === 204 ? 0 : length === undefined ? null : Number(length)
  return { status, bytes: left ?? 0, left }
}

/** One connection that stays open; one request at a time. */
export class Line {
  readonly #socket: Socket
  #early: Buffer = Buffer.alloc(0)
  #head: Head | undefined
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#settle?.reject(error))
    this.#socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')))
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#settle = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    let body = chunk
    if (!this.#head) {
      const all = this.#early.length === 0 ? chunk : Buffer.concat([this.#early, chunk])
      const end = all.indexOf(HEAD_END)
      this.#early = all
      if (end < 0) return
      this.#head = headOf(all.toString('latin1', 0, end))
      this.#early = Buffer.alloc(0)
      body = all.subarray(end + HEAD_END.length)
    }
    const head = this.#head
    if (head.left === null) {
      head.bytes += body.length
      if (body.toString('latin1', body.length - LAST_CHUNK.length) !== LAST_CHUNK) return
    } else {
      head.left -= body.length
      if (head.left > 0) return
    }
    this.#head = undefined
    this.#settle?.resolve({ status: head.status, bytes: head.bytes })
  }
}

export interface LoadOptions {
  port: number
  connections: number
  /** The end, where the requests do not end before. */
  seconds: number
  /** The next request of a connection; undefined when there is none any more. */
  next: (connection: number, turn: number) => Buffer | undefined
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
    const line = new Line(port)
    for (let turn = 0; performance.now() < end; turn++) {
      const request = next(connection, turn)
      if (!request) break
      const sent = performance.now()
      const answer = await line.send(request)
      times.push(performance.now() - sent)
      if (answer.status < 300 || answer.status === 304) answered++
      else refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1)
      bytes = answer.bytes
    }
    line.close()
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

/** The value below which so large a share of a sorted list lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
