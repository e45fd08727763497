import { useBrowserValue } from '../lib/store.ts'

/** Pixels. Rounding, scrollbars and overscrolling hide less of the window than a keyboard. */
const KEYBOARD_HEIGHT_MIN = 100
const EVENTS = ['resize', 'scroll']

function topWithKeyboard(): number | null {
  const view = window.visualViewport
  // A pinch zoom makes the visual viewport smaller too.
  if (!view || view.scale > 1) return null
  const keyboardHeight = Math.round(window.innerHeight - view.height - view.offsetTop)
  return keyboardHeight >= KEYBOARD_HEIGHT_MIN ? Math.round(view.offsetTop) : null
}

/** Where the visible part of the window begins, in pixels, while an on-screen keyboard covers its bottom; else null. */
export const useTopWithKeyboard = (): number | null => useBrowserValue(window.visualViewport, EVENTS, topWithKeyboard)
