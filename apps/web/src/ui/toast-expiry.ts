import { type RefCallback, useEffect, useRef, useState } from 'react'
import { TOAST_STALE_MS, type ToastRecord, toast } from '../lib/toasts.ts'

const RECHECK_MS = 500

/**
 * Whether to keep the toast open: the window is in the background, or the toast is focused or hovered. On narrow screens hover is
 * ignored, because the toast covers other controls there, and the pointer may be over it by chance.
 */
function isInUse(card: HTMLElement): boolean {
  if (!document.hasFocus() || card.contains(document.activeElement)) return true
  return card.matches(':hover') && !window.matchMedia('(width < 40rem)').matches
}

/**
 * Dismisses a toast once its duration is over and the user is not pointing at it or focusing it. Replaces Radix's timer, which never
 * resumes when the toast moves into a dialog while it is hovered. The duration begins when the toast is drawn: a slow page draws it
 * seconds after its creation. Returns the `ref` of the toast's element.
 */
export function useToastExpiry({ id, duration, createdAt, open }: ToastRecord): RefCallback<HTMLLIElement> {
  // In state, because Radix renders the element later than the component, and anew in a dialog: the effect must run again then.
  const [card, setCard] = useState<HTMLLIElement | null>(null)
  /** By `performance.now()`. Set once, so that a move into a dialog does not restart the duration. */
  const expiresAt = useRef<number>(undefined)
  useEffect(() => {
    if (!open || !card) return undefined
    const end = () => {
      if (isInUse(card)) timer = setTimeout(end, RECHECK_MS)
      else toast.dismiss(id)
    }
    // The toaster's code is loaded on demand. A toast that was created long before it arrived is out of date, and closes at once.
    const isStale = Date.now() - createdAt > TOAST_STALE_MS
    expiresAt.current ??= performance.now() + (isStale ? 0 : duration)
    let timer = setTimeout(end, expiresAt.current - performance.now())
    return () => clearTimeout(timer)
  }, [id, duration, createdAt, open, card])
  return setCard
}
