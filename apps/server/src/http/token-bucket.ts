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
  /** Milliseconds until the bucket holds `tokens`; 0 when it does. */
  waitFor(key: string, tokens: number): number
  /** Takes tokens. The balance may become negative. */
  spend(key: string, tokens: number): void
  /** Tokens left, and seconds until the bucket is full. */
  stateOf(key: string): { remaining: number; seconds: number }
}

/** The maximum number of buckets; the least recently used are dropped. A new bucket is full. */
const KEYS_MAX = 50_000

/** A token bucket per key, refilled continuously. */
export function createTokenBuckets(options: BucketOptions): TokenBuckets {
  const { capacity, windowSeconds, now = () => performance.now() } = options
  const perMs = capacity / windowSeconds / 1000
  const buckets = createLruCache<{ tokens: number; at: number }>(KEYS_MAX)
  const tokensOf = (key: string) => {
    const bucket = buckets.get(key)
    return bucket ? Math.min(capacity, bucket.tokens + (now() - bucket.at) * perMs) : capacity
  }
  return {
    waitFor: (key, tokens) => Math.max(0, (Math.min(tokens, capacity) - tokensOf(key)) / perMs),
    spend: (key, tokens) => void buckets.set(key, { tokens: tokensOf(key) - tokens, at: now() }),
    stateOf(key) {
      const tokens = tokensOf(key)
      return { remaining: Math.max(0, Math.floor(tokens)), seconds: Math.ceil((capacity - tokens) / perMs / 1000) }
    },
  }
}
