import { useRef } from 'react'

/**
 * Ignores calls until the promise of the previous one settles: they resolve to undefined. A busy button renders too late for
 * a double click.
 */
export function useSingleFlight<Given extends unknown[], Result>(
  run: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result | undefined> {
  const isRunning = useRef(false)
  return async (...given) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    try {
      return await run(...given)
    } finally {
      isRunning.current = false
    }
  }
}
