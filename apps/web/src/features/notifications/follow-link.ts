import type { MouseEvent } from 'react'
import { openAccountLink } from '../../lib/account-link.ts'
import { currentHash, goToHash } from '../../lib/navigation/navigation.ts'
import { parseLinkedItem } from '../../lib/navigation/route.ts'

/** A click handler for a link to a place of the page. With a modifier key the browser opens it in another tab or window. */
export const followLink = (href: string, onFollow: () => void) => (event: MouseEvent) => {
  onFollow()
  // The sections of linked items listen to the hash themselves.
  if (event.metaKey || event.ctrlKey || event.shiftKey || parseLinkedItem(href)) return
  event.preventDefault()
  if (openAccountLink(href)) return
  if (href !== currentHash()) goToHash(href)
}
