/** Pixels at an end of the strip that fade while more tabs follow; `styles/tabs.css` draws them. */
const FADE_PX = 48

const selectedTab = (strip: HTMLElement): HTMLElement | null => strip.querySelector('[data-state=active]')

/** Scrolls the strip, but nothing around it, until the selected tab is clear of both ends. */
function scrollToSelected(strip: HTMLElement): void {
  const selected = selectedTab(strip)
  if (!selected) return
  const [frame, tab] = [strip.getBoundingClientRect(), selected.getBoundingClientRect()]
  const before = tab.left - (frame.left + FADE_PX)
  const after = tab.right - (frame.right - FADE_PX)
  if (before < 0) strip.scrollBy({ left: before, behavior: 'instant' })
  else if (after > 0) strip.scrollBy({ left: after, behavior: 'instant' })
}

function markEnds(strip: HTMLElement): void {
  // In right-to-left languages `scrollLeft` is negative.
  const before = Math.abs(strip.scrollLeft)
  const after = strip.scrollWidth - strip.clientWidth - before
  strip.toggleAttribute('data-hides-before', before > 1)
  strip.toggleAttribute('data-hides-after', after > 1)
}

/**
 * Keeps the selected tab in view, focuses it if the focus was lost with the former panel, whose button selected it, and marks the
 * ends of the strip that hide tabs. Returns a function that stops it.
 */
export function watchTabStrip(strip: HTMLElement | null): (() => void) | undefined {
  if (!strip) return undefined
  const mark = () => markEnds(strip)
  let focused: EventTarget | null = null
  const remember = ({ target }: FocusEvent) => (focused = target)
  document.addEventListener('focusin', remember)
  const choices = new MutationObserver(() => {
    scrollToSelected(strip)
    const isFocusLost = document.activeElement === document.body && focused instanceof Node && !focused.isConnected
    if (isFocusLost) selectedTab(strip)?.focus()
  })
  choices.observe(strip, { attributes: true, attributeFilter: ['data-state'], subtree: true })
  const sizes = new ResizeObserver(() => {
    scrollToSelected(strip)
    mark()
  })
  for (const one of [strip, ...strip.children]) sizes.observe(one)
  strip.addEventListener('scroll', mark, { passive: true })
  return () => {
    document.removeEventListener('focusin', remember)
    choices.disconnect()
    sizes.disconnect()
    strip.removeEventListener('scroll', mark)
  }
}
