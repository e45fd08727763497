import { onUserScroll } from '../user-scroll-events.ts'

/** Scrolls an element into view and keeps it there while the page grows or scrolls, until the user scrolls. Returns a function that stops. */
export function keepInView(element: HTMLElement): () => void {
  const show = () => element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const resizeObserver = new ResizeObserver(show)
  resizeObserver.observe(document.body)
  // The shell scrolls to the section while the page loads: scroll back to the element.
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
