import { type RefObject, useEffect, useRef } from 'react'
import { type ToastRecord, toast } from '../lib/toasts.ts'

const RECHECK_MS = 500

/** Ignores hover on narrow screens, where the toast covers what the pointer is meant for. */
function isInUse(card: HTMLElement): boolean {
  if (!document.hasFocus() || card.contains(document.activeElement)) return true
  return card.matches(':hover') && !window.matchMedia('(width < 40rem)').matches
}

/** When each toast was first drawn, by `performance.now()`. A toast is drawn anew where it moves into a dialog. */
const firstDrawn = new WeakMap<ToastRecord, number>()

/**
 * Dismisses a toast after its duration, later if it has hover or focus. Replaces Radix's timer, which never resumes when the toast
 * moves into a dialog while it is hovered. The duration begins when the toast is drawn: a slow page draws it seconds after its creation.
 */
export function useToastExpiry(record: ToastRecord): RefObject<HTMLLIElement | null> {
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const { id, duration, open } = record
    if (!open) return undefined
    const end = () => {
      if (card.current && isInUse(card.current)) timer = setTimeout(end, RECHECK_MS)
      else toast.dismiss(id)
    }
    const drawnAt = firstDrawn.get(record) ?? performance.now()
    firstDrawn.set(record, drawnAt)
    let timer = setTimeout(end, drawnAt + duration - performance.now())
    return () => clearTimeout(timer)
  }, [record])
  return card
}
