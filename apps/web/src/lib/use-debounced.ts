import { useEffect, useState } from 'react'

/** The latest value that did not change for this many milliseconds. */
export function useDebounced<V>(value: V, milliseconds: number): V {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return debounced
}
