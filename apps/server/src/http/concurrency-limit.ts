import { type ErrorDefinition, appErrors } from '@community/contract'
import { AppError } from '../errors.ts'

export interface LimiterOptions {
  /** Units in use at once, by all clients together. */
  max?: number
  /** Units in use at once by one client (an address, a person); `max` unless told. */
  perClient?: number
  /** Units for clients that have none in use. Of the others, one that has some gets no more than it leaves free. */
  reserved?: number
  /** Milliseconds that a request waits for its units. */
  maxWaitMs?: number
  /** What a client is refused with that waited for units of its own in vain. */
  ownFault?: ErrorDefinition
}

/** Units in use. */
export interface Lease {
  units: number
  /** Gives the units back; may be called more than once. */
  release(): void
}

export interface AcquireOptions {
  /** More than one client may have at once count as that many. */
  units?: number
  /** Called with what ends the waiting, where there is a wait: for requests whose sender may hang up. */
  whenGone?(leave: () => void): void
}

export interface ConcurrencyLimiter {
  /** Throws `ownFault` when the client's own units stayed in use for the whole wait, 503 when everybody's did. */
  acquire(client: string, options?: AcquireOptions): Promise<Lease>
}

interface Share {
  used: number
  /** In the order in which they came. */
  waiting: Set<{ units: number; start(): void }>
}

/**
 * A fair semaphore: a client that asks for more than its share waits while others go on, and clients that wait are served in turn, not
 * in the order of their requests.
 */
export function createConcurrencyLimiter(options: LimiterOptions = {}): ConcurrencyLimiter {
  const { max = 256, perClient = max, reserved = 0, maxWaitMs = 2000, ownFault = appErrors.tooManyRequests } = options
  const shares = new Map<string, Share>()
  /** Clients with waiting requests; the first is served next. */
  const queue = new Map<string, Share>()
  let used = 0

  const mostOf = (share: Share) =>
    reserved === 0 || share.used === 0 ? perClient : Math.min(perClient, max - reserved - used)
  const fitsShare = (share: Share, units: number) => share.used + units <= mostOf(share)
  const fitsAll = (units: number) => used + units <= max

  function lease(client: string, share: Share, units: number): Lease {
    let isReleased = false
    share.used += units
    used += units
    const release = () => {
      if (isReleased) return
      isReleased = true
      share.used -= units
      used -= units
      forgetIdle(client, share)
      serveQueue()
    }
    return { units, release }
  }

  function forgetIdle(client: string, { used: inUse, waiting }: Share): void {
    if (waiting.size > 0) return
    queue.delete(client)
    if (inUse === 0) shares.delete(client)
  }

  function serveQueue(): void {
    for (const [client, share] of queue) {
      const [next] = share.waiting
      if (!next || !fitsShare(share, next.units)) continue
      // Later ones may need fewer units: if they overtook, the first might never find enough.
      if (!fitsAll(next.units)) return
      queue.delete(client)
      queue.set(client, share)
      next.start()
    }
  }

  function wait(client: string, share: Share, units: number, whenGone: AcquireOptions['whenGone']): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        share.waiting.delete(waiting)
      }
      const giveUp = () => {
        if (!share.waiting.has(waiting)) return
        leave()
        const fault = fitsShare(share, units) ? appErrors.unavailable : ownFault
        forgetIdle(client, share)
        serveQueue()
        reject(new AppError(fault))
      }
      const start = () => {
        leave()
        resolve(lease(client, share, units))
        forgetIdle(client, share)
      }
      const waiting = { units, start }
      const timer = setTimeout(giveUp, maxWaitMs)
      share.waiting.add(waiting)
      queue.set(client, share)
      whenGone?.(giveUp)
    })
  }

  return {
    async acquire(client, { units: wanted = 1, whenGone } = {}) {
      const units = Math.min(wanted, perClient, max)
      const share = shares.get(client) ?? { used: 0, waiting: new Set() }
      shares.set(client, share)
      const isFree = share.waiting.size === 0 && fitsShare(share, units) && fitsAll(units)
      return isFree ? lease(client, share, units) : wait(client, share, units, whenGone)
    },
  }
}
