import { useRef } from 'react'

/** Ignores calls until the promise of the previous one settles. A busy button alone renders too late for a double click. */
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

/** Waits for a mutation that shows its own error. */
export async function settled(mutation: Promise<unknown>): Promise<void> {
  await mutation.catch(() => undefined)
}
