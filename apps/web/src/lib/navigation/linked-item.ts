import { useEffect, useState } from 'react'
import { formatLinkedItem, type LinkedItem, parseLinkedItem, parsePosition } from './route.ts'
import { currentPosition } from './scroll.ts'

function currentItem(kind: LinkedItem['kind']): LinkedItem | null {
  const item = parseLinkedItem(window.location.hash)
  return item?.kind === kind ? item : null
}

/** Whether the history entry stores a scroll position: a reload or Back restores that instead of opening the linked item again. */
const hasStoredPosition = (): boolean => parsePosition(history.state) !== null

/** Stores the scroll position in the link's history entry, once the item is open. */
export function storePositionOfLink(item: LinkedItem): void {
  if (window.location.hash === formatLinkedItem(item)) history.replaceState(currentPosition(), '')
}

/** The last challenge or team whose link was opened; null before. A new object for each click, so that effects run for the same id too. */
export function useLinkedItem(kind: LinkedItem['kind']): LinkedItem | null {
  const [linked, setLinked] = useState(() => (hasStoredPosition() ? null : currentItem(kind)))
  useEffect(() => {
    const updateFromHash = () => {
      const item = currentItem(kind)
      if (item) setLinked(item)
    }
    const onHashChange = () => {
      if (!hasStoredPosition()) updateFromHash()
    }
    // A link to the current hash triggers no `hashchange`. With a modifier key it opens in another tab.
    const onLinkClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]')
      if (link && link.hash === window.location.hash && !(ctrlKey || metaKey || shiftKey)) updateFromHash()
    }
    window.addEventListener('hashchange', onHashChange)
    document.addEventListener('click', onLinkClick)
    return () => {
      window.removeEventListener('hashchange', onHashChange)
      document.removeEventListener('click', onLinkClick)
    }
  }, [kind])
  return linked
}
