import { type RefObject, useEffect, useRef } from 'react'
import { type ToastRecord, toast } from '../lib/toasts.ts'

const RECHECK_MS = 500

/** Ignores hover on narrow screens, where the toast covers what the pointer is meant for. */
function isInUse(card: HTMLElement): boolean {
  if (!document.hasFocus() || card.contains(document.activeElement)) return true
  return card.matches(':hover') && !window.matchMedia('(width < 40rem)').matches
}

/**
 * Dismisses a toast after its duration, later if it has hover or focus. Replaces Radix's timer, which never resumes when the toast
 * moves into a dialog while it is hovered.
 */
export function useToastExpiry({ id, duration, createdAt, open }: ToastRecord): RefObject<HTMLLIElement | null> {
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const end = () => {
      if (card.current && isInUse(card.current)) timer = setTimeout(end, RECHECK_MS)
      else toast.dismiss(id)
    }
    // Measured from its creation, which may be before a reload. The clock may have been set back since.
    let timer = setTimeout(end, Math.min(duration, createdAt + duration - Date.now()))
    return () => clearTimeout(timer)
  }, [id, duration, createdAt, open])
  return card
}
