import { createLruCache } from './lru-cache.ts'

interface BucketOptions {
  /** Tokens that may be spent at once. */
  capacity: number
  /** Seconds in which an empty bucket refills. */
  windowSeconds: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

interface TokenBuckets {
  /** Milliseconds until the bucket holds `tokens` or is full; 0 when it already does. */
  millisecondsUntil(key: string, tokens: number): number
  /** Takes tokens. The balance may become negative. */
  spend(key: string, tokens: number): void
  /** Tokens left, and seconds until the bucket is full. */
  stateOf(key: string): { remaining: number; secondsUntilFull: number }
}

/** The maximum number of buckets; the least recently used are dropped. A new bucket is full. */
const KEYS_MAX = 50_000

/** A token bucket per key, refilled continuously. */
export function createTokenBuckets(options: BucketOptions): TokenBuckets {
  const { capacity, windowSeconds, now = () => performance.now() } = options
  const tokensPerMs = capacity / windowSeconds / 1000
  const buckets = createLruCache<{ tokens: number; updatedAt: number }>(KEYS_MAX)
  const tokensOf = (key: string) => {
    const bucket = buckets.get(key)
    return bucket ? Math.min(capacity, bucket.tokens + (now() - bucket.updatedAt) * tokensPerMs) : capacity
  }
  return {
    millisecondsUntil: (key, tokens) => Math.max(0, (Math.min(tokens, capacity) - tokensOf(key)) / tokensPerMs),
    spend: (key, tokens) => void buckets.set(key, { tokens: tokensOf(key) - tokens, updatedAt: now() }),
    stateOf(key) {
      const tokens = tokensOf(key)
      return {
        remaining: Math.max(0, Math.floor(tokens)),
        secondsUntilFull: Math.ceil((capacity - tokens) / tokensPerMs / 1000),
      }
    },
  }
}
