/** The slowest rate at which a client may read a response or send the body of a request. */
export interface MinimumRate {
  bytesPerSecond: number
  /** Milliseconds after which a slower client is disconnected. */
  windowMs: number
  checkIntervalMs: number
}

export const MINIMUM_RATE: MinimumRate = { bytesPerSecond: 10_000, windowMs: 20_000, checkIntervalMs: 2500 }

/**
 * Watches the rates of transfers. One is too slow if every check for `windowMs` finds its average below the minimum; a check that finds it
 * fast enough begins the window anew.
 */
export function watchRates<K>({ bytesPerSecond, windowMs }: MinimumRate) {
  const windows = new Map<K, { startedAt: number; bytesAtStart: number }>()
  return {
    keys: () => windows.keys(),
    forget: (key: K) => windows.delete(key),
    /** Checks a transfer, of which `bytes` have arrived by now. Returns whether it is too slow. */
    check(key: K, bytes: number): boolean {
      const now = performance.now()
      const window = windows.get(key)
      const seconds = window ? (now - window.startedAt) / 1000 : 0
      if (!window || bytes - window.bytesAtStart >= bytesPerSecond * seconds) {
        windows.set(key, { startedAt: now, bytesAtStart: bytes })
        return false
      }
      return seconds * 1000 >= windowMs
    },
  }
}
