/** The slowest rate at which a client may read a response or send the body of a request. */
export interface MinimumRate {
  bytesPerSecond: number
  /** Milliseconds after which a slower client is disconnected. */
  windowMs: number
  checkIntervalMs: number
}

export const MINIMUM_RATE: MinimumRate = { bytesPerSecond: 10_000, windowMs: 20_000, checkIntervalMs: 2500 }

/** Measures transfers. One is too slow if its average stayed below the rate for a whole window; otherwise another window begins. */
export function measureRates<K>({ bytesPerSecond, windowMs }: MinimumRate) {
  const windows = new Map<K, { startedAt: number; bytesBefore: number }>()
  return {
    keys: () => windows.keys(),
    forget: (key: K) => windows.delete(key),
    /** Whether the transfer is too slow. `bytes` is what it has transferred by now. */
    isTooSlow(key: K, bytes: number): boolean {
      const now = performance.now()
      const window = windows.get(key)
      const seconds = window ? (now - window.startedAt) / 1000 : 0
      if (!window || bytes - window.bytesBefore >= bytesPerSecond * seconds) {
        windows.set(key, { startedAt: now, bytesBefore: bytes })
        return false
      }
      return seconds * 1000 >= windowMs
    },
  }
}
