import { failureOf } from './failure.ts'

const SECOND = 1000
const RETRIES = 2
/** Longest `Retry-After` that is waited for, in seconds; a longer one is shown as an error at once. */
const LONGEST_COOLDOWN = 30

/** Only network errors and short rate limits are worth a retry, and one a search that others delayed. */
export function shouldRetry(count: number, error: unknown): boolean {
  if (count >= RETRIES) return false
  const { kind, code, cooldown = 0 } = failureOf(error)
  if (code === 'SEARCH_BUSY') return count === 0
  return kind === 'network' || (code === 'TOO_MANY_REQUESTS' && cooldown <= LONGEST_COOLDOWN)
}

/** In ms: at least `Retry-After`, with jitter. */
export function retryDelay(count: number, error: unknown): number {
  const { cooldown = 0 } = failureOf(error)
  return Math.max(cooldown, 2 ** count) * SECOND + Math.random() * SECOND
}
