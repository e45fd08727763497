const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown', 'popstate'] as const

/** Calls back once, when the user scrolls, presses something or goes back: automatic scrolling stops then. Returns a function that stops listening. */
export function onUserScroll(handle: () => void): () => void {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const once = () => {
    stop()
    handle()
  }
  for (const name of USER_SCROLL_EVENTS)
    window.addEventListener(name, once, { passive: true, signal: controller.signal })
  return stop
}
