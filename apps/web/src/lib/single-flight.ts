import { useRef } from 'react'

/**
 * An action that does nothing while its last run has not ended. A busy button comes one drawing too late for a quick
 * second press; give it an action that answers a promise.
 */
export function useSingleFlight<Given extends unknown[]>(
  run: (...given: Given) => Promise<unknown>,
): (...given: Given) => Promise<void> {
  const isRunning = useRef(false)
  return async (...given) => {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await run(...given)
    } finally {
      isRunning.current = false
    }
  }
}

/** The end of a mutation that tells its failure itself, by its own `onError` or `error`. */
export async function settled(mutation: Promise<unknown>): Promise<void> {
  await mutation.catch(() => undefined)
}
