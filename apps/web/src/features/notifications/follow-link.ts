import type { MouseEvent } from 'react'
import { currentHash, goToHash } from '../../lib/navigation/navigation.ts'
import { challengeIdOf } from '../../lib/navigation/route.ts'

/** A click handler for a link to a place of the page. With a modifier key the browser opens it in another tab or window. */
export const followLink = (href: string, onFollow: () => void) => (event: MouseEvent) => {
  onFollow()
  // The challenges listen to the hash themselves.
  if (event.metaKey || event.ctrlKey || event.shiftKey || challengeIdOf(href) !== null) return
  event.preventDefault()
  if (href !== currentHash()) goToHash(href)
}
