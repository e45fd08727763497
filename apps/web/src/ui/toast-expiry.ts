import { type RefCallback, useEffect, useState } from 'react'
import { TOAST_STALE_MS, type ToastRecord, toast } from '../lib/toasts.ts'

const RECHECK_MS = 500

/**
 * Whether the user may still want the toast: the window is in the background, or the toast has focus or hover. Ignores hover on narrow
 * screens, where the toast covers what the pointer is meant for.
 */
function isInUse(card: HTMLElement): boolean {
  if (!document.hasFocus() || card.contains(document.activeElement)) return true
  return card.matches(':hover') && !window.matchMedia('(width < 40rem)').matches
}

/** When each toast was first drawn, by `performance.now()`: moving into a dialog draws it anew, which must not restart its duration. */
const firstDrawn = new WeakMap<ToastRecord, number>()

/**
 * Dismisses a toast after its duration, later if it is in use. Replaces Radix's timer, which never resumes when the toast
 * moves into a dialog while it is hovered. The duration begins when the toast is drawn: a slow page draws it seconds after its creation.
 * Returns the `ref` of the toast's element.
 */
export function useToastExpiry(record: ToastRecord): RefCallback<HTMLLIElement> {
  // In state, because Radix renders the element later than the component: the effect must run again then.
  const [card, setCard] = useState<HTMLLIElement | null>(null)
  useEffect(() => {
    const { id, duration, createdAt, open } = record
    if (!open || !card) return undefined
    const end = () => {
      if (isInUse(card)) timer = setTimeout(end, RECHECK_MS)
      else toast.dismiss(id)
    }
    const drawnAt = firstDrawn.get(record) ?? performance.now()
    // It waited too long for the toaster, which is loaded lazily.
    const isStale = !firstDrawn.has(record) && Date.now() - createdAt > TOAST_STALE_MS
    firstDrawn.set(record, drawnAt)
    let timer = setTimeout(end, isStale ? 0 : drawnAt + duration - performance.now())
    return () => clearTimeout(timer)
  }, [record, card])
  return setCard
}
