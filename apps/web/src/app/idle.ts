import { startTransition, useEffect, useState } from 'react'

const MAX_WAIT_MS = 1500

/** True once the browser is idle, at the latest 1.5 s after the first render or after `isWaiting` has become false. */
export function useIdle(isWaiting = false): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    if (isWaiting) return undefined
    const onIdle = () => startTransition(() => setIdle(true))
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(onIdle, MAX_WAIT_MS / 10)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(onIdle, { timeout: MAX_WAIT_MS })
    return () => cancelIdleCallback(handle)
  }, [isWaiting])
  return idle
}
