import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useKeyboardShortcuts } from '../../lib/use-keyboard-shortcuts.ts'

const ROWS = '[data-notification]'

const rowsOf = (container: HTMLElement | null): HTMLElement[] => [
  ...(container?.querySelectorAll<HTMLElement>(ROWS) ?? []),
]
const focusRow = (row: HTMLElement | undefined): void => row?.querySelector('a')?.focus()
const focusedRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null

/** J, K and the arrows move the focus between rows; U toggles the focused one. Returns event handlers for the container. */
export function useRowShortcuts(
  container: RefObject<HTMLElement | null>,
  { isEnabled, onToggle, count }: { isEnabled: boolean; onToggle: (id: string) => void; count: number },
) {
  const lastFocusedIndex = useRef(-1)
  const moveBy = (steps: 1 | -1) => {
    const rows = rowsOf(container.current)
    const row = focusedRow()
    const next = row ? rows.indexOf(row) + steps : 0
    focusRow(rows[Math.min(Math.max(next, 0), rows.length - 1)])
  }
  const toggle = () => {
    const id = focusedRow()?.dataset['notification']
    if (id !== undefined) onToggle(id)
  }
  useKeyboardShortcuts({ KeyJ: () => moveBy(1), KeyK: () => moveBy(-1), KeyU: toggle }, isEnabled)
  // When the focused row is removed (it is no longer unread), focus the link of the next one. A layout effect, to run before
  // `useFocusKeeper`, which would focus the row itself.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body && document.activeElement?.tagName !== 'DIALOG') return
    if (lastFocusedIndex.current >= 0)
      focusRow(rowsOf(container.current).at(Math.min(lastFocusedIndex.current, count - 1)))
    lastFocusedIndex.current = -1
  }, [container, count])
  return {
    onFocus: () => {
      const row = focusedRow()
      lastFocusedIndex.current = row ? rowsOf(container.current).indexOf(row) : -1
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!isEnabled || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
      // Elsewhere, such as on Show more, and with a modifier, the browser handles the arrows.
      const isRowLink = event.target === focusedRow()?.querySelector('a')
      if (!isRowLink || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      moveBy(event.key === 'ArrowDown' ? 1 : -1)
    },
  }
}
