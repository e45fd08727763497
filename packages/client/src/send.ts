import { createBearer, type TokenOptions } from './bearer.ts'
import { codeOf } from './failure.ts'
import { sleep } from './sleep.ts'

export interface SenderOptions extends TokenOptions {
  /** Number of retries after a network failure, 429, 503 or IDEMPOTENCY_KEY_RUNNING; 3 by default. */
  retries?: number
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** A response with a longer `Retry-After` is returned instead of retried. */
const WAIT_SECONDS_MAX = 60

/** Whether the same request can succeed later: also when an earlier attempt still runs under its key. */
async function isTransient(response: Response): Promise<boolean> {
  const { status } = response
  if (status === 409) return (await codeOf(response)) === 'IDEMPOTENCY_KEY_RUNNING'
  return status === 429 || status === 503
}

/** Seconds until the next attempt: what the server asks for, else 0.5, 1, 2, … with up to as much again at random. */
function waitSeconds(response: Response | undefined, attempt: number): number {
  const retryAfter = Number(response?.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(retryAfter) ? retryAfter : 0.5 * 2 ** (attempt - 1) * (1 + Math.random())
}

/**
 * A `fetch` with tokens and retries. Repeats only reads and requests with an Idempotency-Key, because other requests might take
 * effect twice.
 */
export function createSender(options: SenderOptions): (request: Request) => Promise<Response> {
  const { retries = 3, fetch = globalThis.fetch } = options
  const withBearer = createBearer(options)

  async function sendRepeatedly(request: Request): Promise<Response> {
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key')
    for (let attempt = 1; ; attempt++) {
      const isLast = !isRepeatable || attempt > retries
      const response = await fetch(isLast ? request : request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error
        return undefined
      })
      if (response && (isLast || !(await isTransient(response)))) return response
      const seconds = waitSeconds(response, attempt)
      if (response && seconds > WAIT_SECONDS_MAX) return response
      await response?.body?.cancel()
      await sleep(seconds * 1000, request.signal)
    }
  }
  return (request) => withBearer(request, sendRepeatedly)
}
