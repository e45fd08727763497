import { useEffect, useEffectEvent, useRef } from 'react'

/** Runs once, also in Strict Mode. Calls the latest `onEnd`, which may have changed since. */
export function useRunOnce(run: () => Promise<unknown>, onEnd: () => void): void {
  const hasRun = useRef(false)
  const runLatest = useEffectEvent(run)
  const endLatest = useEffectEvent(onEnd)
  useEffect(() => {
    if (hasRun.current) return
    hasRun.current = true
    void runLatest().finally(() => endLatest())
  }, [])
}
