import { useEffect, useRef } from 'react'

/** Runs once, also in Strict Mode. Calls the latest `onEnd`, which may have changed since. */
export function useRunOnce(run: () => Promise<unknown>, onEnd: () => void): void {
  const latest = useRef({ run, onEnd })
  const hasRun = useRef(false)
  useEffect(() => {
    latest.current = { run, onEnd }
  })
  useEffect(() => {
    if (hasRun.current) return
    hasRun.current = true
    void latest.current.run().finally(() => latest.current.onEnd())
  }, [])
}
