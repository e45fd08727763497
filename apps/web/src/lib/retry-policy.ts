import { failureOf } from './failure.ts'

const SECOND = 1000
const RETRIES = 2
/** Seconds; an error with a longer `Retry-After` is shown at once. */
const RETRY_AFTER_MAX = 30

/** Retries network errors and short rate limits twice, a search rejected because too many others ran once. */
export function shouldRetry(count: number, error: unknown): boolean {
  if (count >= RETRIES) return false
  const { kind, code, cooldown = 0 } = failureOf(error)
  if (code === 'SEARCH_BUSY') return count === 0
  return kind === 'network' || (code === 'TOO_MANY_REQUESTS' && cooldown <= RETRY_AFTER_MAX)
}

/** In ms: at least `Retry-After`, with jitter. */
export function retryDelay(count: number, error: unknown): number {
  const { cooldown = 0 } = failureOf(error)
  return Math.max(cooldown, 2 ** count) * SECOND + Math.random() * SECOND
}
