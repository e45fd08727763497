import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { PostponedJob } from './job-handler.ts'

/** How long a job waits for the other jobs of its owner: enough if their receivers respond at once. */
const MAX_WAIT_MS = 250

interface OwnerLimits {
  /** Attempts at once in this process. */
  max: number
  perOwner: number
  /** Seconds until a job beyond the limits is claimed again. */
  postponedSeconds: number
}

/**
 * Limits concurrent attempts per owner, so that one owner's slow receivers do not take all places. The returned function runs an attempt,
 * or throws `PostponedJob` if there is no place for it.
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
