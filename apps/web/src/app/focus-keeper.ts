import { useEffect } from 'react'
import { focusOn } from '../ui/focus-on.ts'

const isRow = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && (node.tagName === 'LI' || node.tagName === 'TR')

/** Less than a window's height out of view. If it is farther, the user is reading elsewhere, and must not be scrolled away. */
function isNear(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > -window.innerHeight && top < 2 * window.innerHeight
}

/** Moves the focus from a removed element to the row that took the place of its row, else to what contained it. */
function moveFocus(removed: Node, records: readonly MutationRecord[]): void {
  let lost = removed
  let row: HTMLElement | null = null
  for (const { target, removedNodes, nextSibling, previousSibling } of records) {
    if (![...removedNodes].some((node) => node.contains(lost))) continue
    lost = target
    row = [nextSibling, previousSibling].find(isRow) ?? null
  }
  if (row?.isConnected) focusOn(row, { scrolls: isNear(row) })
  else if (lost instanceof Element) lost.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
}

/** Keeps the focus near an element that is removed while it has it, such as the button that deletes its row. */
export function useFocusKeeper(): void {
  useEffect(() => {
    let focused: Element | null = null
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : null
    }
    const onFocusOut = () =>
      queueMicrotask(() => {
        // Not removed: the user pressed a place that takes no focus.
        if (focused?.isConnected && document.activeElement === document.body) focused = null
      })
    const observer = new MutationObserver((records) => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      moveFocus(focused, records)
    })
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('focusout', onFocusOut)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('focusout', onFocusOut)
      observer.disconnect()
    }
  }, [])
}
