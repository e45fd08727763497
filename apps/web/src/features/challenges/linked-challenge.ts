import { HIGHLIGHT } from '@community/contract/limits'
import { useEffect, useState } from 'react'
import { cardId } from './challenge-card.tsx'

const PREFIX = '#challenge-'

const idInHash = (): string | null =>
  window.location.hash.startsWith(PREFIX) ? window.location.hash.slice(PREFIX.length) : null

const READER_MOVES = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** Brings an element into view and keeps it there while the page above it grows, until the reader moves by themself. */
function holdInView(element: HTMLElement): () => void {
  const show = () => element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const follow = new ResizeObserver(show)
  follow.observe(document.body)
  const stop = () => {
    follow.disconnect()
    for (const move of READER_MOVES) window.removeEventListener(move, stop)
  }
  for (const move of READER_MOVES) window.addEventListener(move, stop, { passive: true })
  show()
  return stop
}

/** The challenge that the address asks for: `#challenge-{id}`. Each visit of such a link asks anew. */
export function useLinkedChallenge(): { id: string; visit: number } | null {
  const [linked, setLinked] = useState(() => {
    const id = idInHash()
    return id === null ? null : { id, visit: 0 }
  })
  useEffect(() => {
    const look = () => {
      const id = idInHash()
      if (id !== null) setLinked((before) => ({ id, visit: (before?.visit ?? 0) + 1 }))
    }
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  return linked
}

/** Scrolls to a card once it is drawn and answers its id for 3 seconds, the time of its highlight. */
export function useHighlight(linked: { id: string; visit: number } | null, isDrawn: boolean): string | null {
  const [highlighted, setHighlighted] = useState<string | null>(null)
  useEffect(() => {
    const card = linked && isDrawn ? document.getElementById(cardId(linked.id)) : null
    if (!linked || !card) return undefined
    setHighlighted(linked.id)
    card.querySelector('button')?.focus({ preventScroll: true })
    const letGo = holdInView(card)
    const timer = setTimeout(() => {
      letGo()
      setHighlighted(null)
    }, HIGHLIGHT * 1000)
    return () => {
      clearTimeout(timer)
      letGo()
    }
  }, [linked, isDrawn])
  return highlighted
}
