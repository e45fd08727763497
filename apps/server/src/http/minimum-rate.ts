/** The slowest rate at which a client may read a response or send the body of a request. */
export interface MinimumRate {
  bytesPerSecond: number
  /** Milliseconds after which a slower client is disconnected. */
  windowMs: number
  checkIntervalMs: number
}

export const MINIMUM_RATE: MinimumRate = { bytesPerSecond: 10_000, windowMs: 20_000, checkIntervalMs: 2500 }

/** Measures transfers: each starts a new window whenever its average since the last is fast enough. */
export function measureRates<K>({ bytesPerSecond, windowMs }: MinimumRate) {
  const windows = new Map<K, { startedAt: number; bytesBefore: number }>()
  return {
    keys: () => windows.keys(),
    forget: (key: K) => windows.delete(key),
    /** True if the transfer was too slow for a whole window. `bytes` is what it has transferred by now. */
    isTooSlow(key: K, bytes: number): boolean {
      const now = performance.now()
      const { startedAt, bytesBefore } = windows.get(key) ?? { startedAt: now, bytesBefore: -1 }
      const isFastEnough = bytes - bytesBefore >= (bytesPerSecond * (now - startedAt)) / 1000
      if (isFastEnough) windows.set(key, { startedAt: now, bytesBefore: bytes })
      return !isFastEnough && now - startedAt >= windowMs
    },
  }
}
