import http from 'node:http'

export interface Answer {
  status: number
  /** The parsed body; null where it is no JSON. */
  body: any
  headers: http.IncomingHttpHeaders
  /** Milliseconds from the first byte sent to the last one received. */
  took: number
}

export interface Call {
  /** `POST /teams`, below `/api`; or of the other door, `POST /trpc/teams.create`. */
  line: string
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** No answer came: the connection was cut, refused or silent. */
export class NoAnswer extends Error {}

/** Milliseconds a client of the product waits. */
const TIMEOUT = 10_000

interface Prepared {
  /** All of the request but its last byte is with the system. */
  almostSent: Promise<void>
  finish(): void
  answer: Promise<Answer>
}

/** A client that keeps its connections open, as browsers do. */
export class Client {
  readonly #agent: http.Agent
  readonly #port: number

  constructor(port: number, connections = 64) {
    this.#port = port
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  }

  /** One call; throws `NoAnswer` where none came. */
  async call(line: string, { body, token, headers, signal }: Omit<Call, 'line'> = {}): Promise<Answer> {
    const prepared = this.#prepare({ line, body, token, ...(headers && { headers }), ...(signal && { signal }) })
    prepared.finish()
    return prepared.answer
  }

  /** All calls at once: each is held back by its last byte until the others are as far. */
  async together(calls: Call[]): Promise<Answer[]> {
    await this.warm(calls.length)
    const prepared = calls.map((call) => this.#prepare(call))
    await Promise.all(prepared.map(({ almostSent }) => almostSent))
    for (const { finish } of prepared) finish()
    return Promise.all(prepared.map(({ answer }) => answer))
  }

  /** Opens so many connections. */
  async warm(connections: number): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.call('GET /health/live')))
  }

  close(): void {
    this.#agent.destroy()
  }

  #prepare({ line, body, token, headers, signal }: Call): Prepared {
    const [method = 'GET', path = '/'] = line.split(' ')
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const began = performance.now()
    const request = http.request({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method,
      path: path.startsWith('/trpc/') ? path : `/api${path}`,
      ...(signal && { signal }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    })
    request.setTimeout(TIMEOUT, () => request.destroy(new Error('no answer in time')))
    const answer = new Promise<Answer>((resolve, reject) => {
      const fail = (error: Error) => reject(new NoAnswer(`${line}: ${error.message}`))
      request.on('error', fail)
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          let parsed: unknown = null
          try {
            parsed = JSON.parse(Buffer.concat(chunks).toString())
          } catch {
            // Not JSON: told as null.
          }
          resolve({
            status: response.statusCode ?? 0,
            body: parsed,
            headers: response.headers,
            took: performance.now() - began,
          })
        })
      })
    })
    // Nobody may be listening yet when it fails.
    answer.catch(() => {})
    const almostSent = new Promise<void>((resolve) => {
      if (bytes.length > 1) request.write(bytes.subarray(0, -1), () => resolve())
      else resolve()
    })
    return { almostSent, answer, finish: () => void request.end(bytes.length > 0 ? bytes.subarray(-1) : undefined) }
  }
}

/** Counts answers by status and code: `{ '201': 1, '409 TEAM_FULL': 49 }`. */
export function tally(answers: Iterable<Pick<Answer, 'status' | 'body'>>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = body?.code ? `${status} ${body.code}` : String(status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** All calls at once, dealt out to the servers in turn. */
export async function overAll(clients: Client[], calls: Call[]): Promise<Answer[]> {
  const dealt = clients.map((client, turn) =>
    client.together(calls.filter((_, place) => place % clients.length === turn)),
  )
  return (await Promise.all(dealt)).flat()
}
