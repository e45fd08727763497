import { HIGHLIGHT_SECONDS } from '@community/contract/limits'
import { useEffect, useState } from 'react'
import { challengeIdOf } from '../../lib/navigation/route.ts'
import { onUserScroll } from '../../lib/user-scroll-events.ts'
import { cardId } from './challenge-card.tsx'

const currentId = () => challengeIdOf(window.location.hash)

/** Scrolls an element into view and keeps it there while the page grows or scrolls, until the user scrolls. */
function keepInView(element: HTMLElement): () => void {
  const show = () => element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const resizeObserver = new ResizeObserver(show)
  resizeObserver.observe(document.body)
  // The shell scrolls to the section while the page loads: scroll back to the card.
  window.addEventListener('scroll', show, { passive: true })
  const stop = () => {
    resizeObserver.disconnect()
    window.removeEventListener('scroll', show)
    stopListening()
  }
  const stopListening = onUserScroll(stop)
  show()
  return stop
}

/** The challenge of the URL's hash, `#challenge-{id}`. `visit` changes each time such a link is followed. */
export function useLinkedChallenge(): { id: string; visit: number } | null {
  const [linked, setLinked] = useState(() => {
    const id = currentId()
    return id === null ? null : { id, visit: 0 }
  })
  useEffect(() => {
    const updateFromHash = () => {
      const id = currentId()
      if (id !== null) setLinked((previous) => ({ id, visit: (previous?.visit ?? 0) + 1 }))
    }
    // A link to the current hash triggers no `hashchange`. With a modifier key it opens in another tab.
    const onLinkClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]')
      if (link && link.hash === window.location.hash && !(ctrlKey || metaKey || shiftKey)) updateFromHash()
    }
    window.addEventListener('hashchange', updateFromHash)
    document.addEventListener('click', onLinkClick)
    return () => {
      window.removeEventListener('hashchange', updateFromHash)
      document.removeEventListener('click', onLinkClick)
    }
  }, [])
  return linked
}

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

/** Scrolls to a card once it is rendered, and returns its id for 3 seconds to highlight it. */
export function useHighlight(linked: { id: string; visit: number } | null, isListed: boolean): string | null {
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
