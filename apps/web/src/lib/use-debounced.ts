import { useEffect, useState } from 'react'

/** The value as it was once it had rested for so many milliseconds. */
export function useDebounced<V>(value: V, milliseconds: number): V {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return rested
}
