interface Shelf {
  read: (key: string) => string | null
  /** What `writeJson` kept; null when nothing was, or it cannot be read. */
  readJson: (key: string) => unknown
  write: (key: string, value: string) => void
  writeJson: (key: string, value: unknown) => void
  drop: (key: string) => void
}

/** A storage of the browser; where it is forbidden or full, what is kept lives as long as the page. */
function shelf(name: 'localStorage' | 'sessionStorage'): Shelf {
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
      // The memory has it.
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
    drop: (key) => {
      memory.delete(key)
      try {
        window[name].removeItem(key)
      } catch {
        // There was nothing.
      }
    },
  }
}

/** For this browser, all its tabs. */
export const browserStore = shelf('localStorage')
/** For this tab, over its reloads. */
export const tabStore = shelf('sessionStorage')
