import { useEffect, useState } from 'react'
import { formatLinkedItem, type LinkedItem, parseLinkedItem, parsePosition } from './route.ts'
import { currentPosition } from './scroll.ts'

function currentItem(kind: LinkedItem['kind']): LinkedItem | null {
  const item = parseLinkedItem(window.location.hash)
  return item?.kind === kind ? item : null
}

/** Whether the history entry has a position to restore: its link was followed before. */
const wasFollowed = (): boolean => parsePosition(history.state) !== null

/** Call once a link has been followed: a reload and Back then return to what the user was reading. */
export function markFollowed(item: LinkedItem): void {
  if (window.location.hash === formatLinkedItem(item)) history.replaceState(currentPosition(), '')
}

/** The challenge or team of the URL's hash, a new object each time such a link is followed; null until then. */
export function useLinkedItem(kind: LinkedItem['kind']): LinkedItem | null {
  const [linked, setLinked] = useState(() => (wasFollowed() ? null : currentItem(kind)))
  useEffect(() => {
    const updateFromHash = () => {
      const item = currentItem(kind)
      if (item) setLinked(item)
    }
    const onHashChange = () => {
      if (!wasFollowed()) updateFromHash()
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
