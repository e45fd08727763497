import { type ErrorDefinition, appErrors } from '@community/contract'
import { AppError } from '../errors.ts'

export interface LimiterOptions {
  /** Units in use by all clients together, at most. */
  max?: number
  /** Units in use by one client (an IP address, a user), at most; `max` by default. */
  perClient?: number
  /** Units reserved for clients that have none in use. Any other client gets at most as many as it leaves free. */
  reserved?: number
  /** Milliseconds that `acquire` waits; `Infinity` for as long as it takes. */
  maxWaitMs?: number
  /** Requests waiting at once, at most; beyond it `acquire` throws 503 at once. Unlimited by default. */
  maxWaiting?: number
  /** Thrown when the client's own limit is still reached after the wait. */
  ownError?: ErrorDefinition
}

/** Units in use. */
export interface Lease {
  units: number
  /** Idempotent. */
  release(): void
}

export interface AcquireOptions {
  /** Capped at the client's limit. */
  units?: number
  /** Called when `acquire` has to wait, with a function that cancels the wait: for clients that may disconnect. */
  whenGone?(leave: () => void): void
}

export interface ConcurrencyLimiter {
  /** Throws `ownError` when the client's own limit was reached for the whole wait, 503 when the total was. */
  acquire(client: string, options?: AcquireOptions): Promise<Lease>
  /** Runs work with one unit, released when the work settles. Throws like `acquire`. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>
  /** Units in use and requests waiting. */
  load(): { used: number; waiting: number }
}

interface ClientState {
  used: number
  /** First in, first out. */
  waiting: Set<{ units: number; start(): void }>
}

/**
 * A fair semaphore: a client at its own limit waits without blocking others, and waiting clients are served round-robin, not in the
 * order of their requests.
 */
export function createConcurrencyLimiter(options: LimiterOptions = {}): ConcurrencyLimiter {
  const { max = 256, perClient = max, reserved = 0, maxWaitMs = 2000, maxWaiting = Infinity } = options
  const { ownError = appErrors.tooManyRequests } = options
  const clients = new Map<string, ClientState>()
  /** Clients with waiting requests; the first is served next. */
  const queue = new Map<string, ClientState>()
  let used = 0
  let waitingCount = 0

  const clientLimit = (state: ClientState) =>
    reserved === 0 || state.used === 0 ? perClient : Math.min(perClient, max - reserved - used)
  const fitsClient = (state: ClientState, units: number) => state.used + units <= clientLimit(state)
  const fitsTotal = (units: number) => used + units <= max

  function lease(client: string, state: ClientState, units: number): Lease {
    let isReleased = false
    state.used += units
    used += units
    const release = () => {
      if (isReleased) return
      isReleased = true
      state.used -= units
      used -= units
      deleteIfIdle(client, state)
      serveQueue()
    }
    return { units, release }
  }

  function deleteIfIdle(client: string, { used: inUse, waiting }: ClientState): void {
    if (waiting.size > 0) return
    queue.delete(client)
    if (inUse === 0) clients.delete(client)
  }

  function serveQueue(): void {
    for (const [client, state] of queue) {
      const [next] = state.waiting
      if (!next || !fitsClient(state, next.units)) continue
      // Smaller requests must not overtake, or a large one might never find enough units.
      if (!fitsTotal(next.units)) return
      queue.delete(client)
      queue.set(client, state)
      next.start()
    }
  }

  function wait(
    client: string,
    state: ClientState,
    units: number,
    whenGone: AcquireOptions['whenGone'],
  ): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        if (state.waiting.delete(waiting)) waitingCount--
      }
      const giveUp = () => {
        if (!state.waiting.has(waiting)) return
        leave()
        const error = fitsClient(state, units) ? appErrors.unavailable : ownError
        deleteIfIdle(client, state)
        serveQueue()
        reject(new AppError(error))
      }
      const start = () => {
        leave()
        resolve(lease(client, state, units))
        deleteIfIdle(client, state)
      }
      const waiting = { units, start }
      const timer = maxWaitMs === Infinity ? undefined : setTimeout(giveUp, maxWaitMs)
      state.waiting.add(waiting)
      waitingCount++
      queue.set(client, state)
      whenGone?.(giveUp)
    })
  }

  const acquire: ConcurrencyLimiter['acquire'] = async (client, { units: wanted = 1, whenGone } = {}) => {
    const units = Math.min(wanted, perClient, max)
    const state = clients.get(client) ?? { used: 0, waiting: new Set() }
    clients.set(client, state)
    const isFree = state.waiting.size === 0 && fitsClient(state, units) && fitsTotal(units)
    if (isFree) return lease(client, state, units)
    if (waitingCount < maxWaiting) return wait(client, state, units, whenGone)
    deleteIfIdle(client, state)
    throw new AppError(appErrors.unavailable)
  }
  return {
    acquire,
    async run(client, work) {
      const { release } = await acquire(client)
      try {
        return await work()
      } finally {
        release()
      }
    },
    load: () => ({ used, waiting: waitingCount }),
  }
}

/**
 * Acquires units of each limiter, in order. One may grant fewer than `units` (by default 1), and the next is asked for that many. If one
 * throws, releases those of the others and throws the same.
 */
export async function acquireAll(
  limiters: readonly [ConcurrencyLimiter, client: string][],
  options: AcquireOptions = {},
): Promise<Lease> {
  const leases: Lease[] = []
  let { units = 1 } = options
  const release = () => {
    for (const lease of leases) lease.release()
  }
  try {
    for (const [limiter, client] of limiters) {
      const lease = await limiter.acquire(client, { ...options, units })
      leases.push(lease)
      units = lease.units
    }
  } catch (error) {
    release()
    throw error
  }
  return { units, release }
}
