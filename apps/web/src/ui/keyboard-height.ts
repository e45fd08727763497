import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const view = window.visualViewport
  view?.addEventListener('resize', listener)
  view?.addEventListener('scroll', listener)
  return () => {
    view?.removeEventListener('resize', listener)
    view?.removeEventListener('scroll', listener)
  }
}

/** Pixels at the foot of the window that an on-screen keyboard covers. */
function keyboardHeight(): number {
  const view = window.visualViewport
  // Zoomed in by pinching, the visible part is smaller without any keyboard.
  if (!view || view.scale > 1) return 0
  return Math.max(0, Math.round(window.innerHeight - view.height - view.offsetTop))
}

/** The height of the on-screen keyboard, where the browser lays it over the page; 0 without one. */
export const useKeyboardHeight = (): number => useSyncExternalStore(subscribe, keyboardHeight)
