import { HIGHLIGHT_SECONDS } from '@community/contract/limits'
import { useEffect, useState } from 'react'
import { keepInView } from '../../lib/navigation/keep-in-view.ts'
import type { LinkedItem } from '../../lib/navigation/route.ts'
import { cardId } from './challenge-card.tsx'

/** Waits until an element is in the page, as the content of a tab is rendered a moment after the tab opens. */
function waitForElement(id: string, onFound: (element: HTMLElement) => void): () => void {
  let frame = 0
  const look = () => {
    const element = document.getElementById(id)
    if (element) onFound(element)
    else frame = requestAnimationFrame(look)
  }
  look()
  return () => cancelAnimationFrame(frame)
}

/** Scrolls to the card of a linked challenge once it is rendered, if the list has it, focuses it, and returns its id for 3 seconds to highlight it. */
export function useHighlight(linked: LinkedItem | null, isListed: boolean): string | null {
  const [highlighted, setHighlighted] = useState<string | null>(null)
  useEffect(() => {
    if (!linked || !isListed) return undefined
    const cleanups: (() => void)[] = []
    const stopWaiting = waitForElement(cardId(linked.id), (card) => {
      setHighlighted(linked.id)
      card.querySelector('button')?.focus({ preventScroll: true })
      const stopScrolling = keepInView(card)
      const timer = setTimeout(() => {
        stopScrolling()
        setHighlighted(null)
      }, HIGHLIGHT_SECONDS * 1000)
      cleanups.push(stopScrolling, () => clearTimeout(timer))
    })
    return () => {
      stopWaiting()
      for (const cleanup of cleanups) cleanup()
    }
  }, [linked, isListed])
  return highlighted
}
