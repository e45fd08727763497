interface SafeStorage {
  read: (key: string) => string | null
  /** Null if nothing was stored or it is not JSON. */
  readJson: (key: string) => unknown
  write: (key: string, value: string) => void
  writeJson: (key: string, value: unknown) => void
  remove: (key: string) => void
}

/** Web Storage with a fallback in memory where it is blocked or full. */
function createSafeStorage(name: 'localStorage' | 'sessionStorage'): SafeStorage {
  const memory = new Map<string, string>()
  const read = (key: string): string | null => {
    try {
      return memory.get(key) ?? window[name].getItem(key)
    } catch {
      return null
    }
  }
  const write = (key: string, value: string) => {
    memory.set(key, value)
    try {
      window[name].setItem(key, value)
      memory.delete(key)
    } catch {
      // Blocked or full: the value stays in memory.
    }
  }
  return {
    read,
    readJson: (key) => {
      try {
        return JSON.parse(read(key) ?? 'null')
      } catch {
        return null
      }
    },
    write,
    writeJson: (key, value) => write(key, JSON.stringify(value)),
    remove: (key) => {
      memory.delete(key)
      try {
        window[name].removeItem(key)
      } catch {
        // Blocked: nothing was stored.
      }
    },
  }
}

/** Shared by all tabs. */
export const browserStore = createSafeStorage('localStorage')
/** Of this tab; survives reloads. */
export const tabStore = createSafeStorage('sessionStorage')
