import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { PostponedJob } from './worker.ts'

/** Milliseconds that a job waits for others of its owner. Receivers that respond at once need no longer. */
const MAX_WAIT_MS = 250

interface OwnerLimits {
  /** Attempts at once in this process. */
  max: number
  perOwner: number
  /** Seconds until a job beyond the limits is claimed again. */
  postponedSeconds: number
}

/**
 * Limits the attempts of a job handler by owner, because anybody may name a receiver that does not respond. The returned function runs an
 * attempt, or throws `PostponedJob` beyond the limits.
 */
export function createOwnerLimiter({ max, perOwner, postponedSeconds }: OwnerLimits) {
  const limiter = createConcurrencyLimiter({ max, perClient: perOwner, maxWaitMs: MAX_WAIT_MS })
  return async <T>(owner: string, attempt: () => Promise<T>): Promise<T> => {
    const { release } = await limiter.acquire(owner).catch(() => {
      throw new PostponedJob(postponedSeconds)
    })
    try {
      return await attempt()
    } finally {
      release()
    }
  }
}
