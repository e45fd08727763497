import { startTransition, useLayoutEffect, useState } from 'react'
import { USER_SCROLL_EVENTS } from '../lib/user-scroll-events.ts'

const EVENTS = [...USER_SCROLL_EVENTS, 'pointermove'] as const
/** Screen readers and “find in page” send none of these events, and scripts read the whole page. */
const MAX_WAIT_MS = 2500

/** True once the user moves the pointer, presses something or scrolls, at the latest 2.5 s after the first render. */
export function useHasMoved(): boolean {
  const [hasMoved, setHasMoved] = useState(false)
  useLayoutEffect(() => {
    const stop = () => {
      clearTimeout(timer)
      for (const name of EVENTS) window.removeEventListener(name, onMove)
    }
    const onMove = () => {
      stop()
      startTransition(() => setHasMoved(true))
    }
    const timer = setTimeout(onMove, MAX_WAIT_MS)
    for (const name of EVENTS) window.addEventListener(name, onMove, { passive: true })
    return stop
  }, [])
  return hasMoved
}
