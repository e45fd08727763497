/** Focuses an element that is not focusable by itself, when the focused button disappears. */
export function focusOn(element: HTMLElement, { scrolls = true } = {}): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
  if (scrolls) element.scrollIntoView({ block: 'nearest' })
}
