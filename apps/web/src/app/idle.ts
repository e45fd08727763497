import { startTransition, useEffect, useState } from 'react'

const AT_THE_LATEST_MS = 1500

/** True once the browser is idle, at the latest 1.5 s after the first render. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const done = () => startTransition(() => setIdle(true))
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(done, AT_THE_LATEST_MS / 10)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(done, { timeout: AT_THE_LATEST_MS })
    return () => cancelIdleCallback(handle)
  }, [])
  return idle
}
