import { useEffect, useState } from 'react'

/** The latest value that did not change for this many milliseconds. */
export function useDebounced<V>(value: V, milliseconds: number): V {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return rested
}
