import type { MouseEvent } from 'react'

/** A click handler for a link within the page. With a modifier key the browser opens it in another tab or window. */
export const onPlainClick = (go: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  go()
}
