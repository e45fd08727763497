import { useBrowserValue } from '../lib/store.ts'

const EVENTS = ['resize', 'scroll']

function keyboardHeight(): number {
  const view = window.visualViewport
  // A pinch zoom makes the visual viewport smaller too.
  if (!view || view.scale > 1) return 0
  return Math.max(0, Math.round(window.innerHeight - view.height - view.offsetTop))
}

/** Pixels at the bottom of the window that an on-screen keyboard covers. */
export const useKeyboardHeight = (): number => useBrowserValue(window.visualViewport, EVENTS, keyboardHeight)
