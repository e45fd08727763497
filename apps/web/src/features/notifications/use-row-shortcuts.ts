import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useKeyboardShortcuts } from '../../lib/use-keyboard-shortcuts.ts'

const ROWS = '[data-notification]'

const rowsOf = (container: HTMLElement | null): HTMLElement[] => [
  ...(container?.querySelectorAll<HTMLElement>(ROWS) ?? []),
]
const focusRow = (row: HTMLElement | undefined): void => row?.querySelector('a')?.focus()
const rowInFocus = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null

/** Moves the focus between rows by J, K and the arrows; U marks the row in focus. Returns what listens to the arrows. */
export function useRowShortcuts(
  container: RefObject<HTMLElement | null>,
  { isEnabled, onToggle, count }: { isEnabled: boolean; onToggle: (id: string) => void; count: number },
) {
  const last = useRef(-1)
  const moveBy = (steps: 1 | -1) => {
    const rows = rowsOf(container.current)
    const row = rowInFocus()
    const next = row ? rows.indexOf(row) + steps : 0
    focusRow(rows[Math.min(Math.max(next, 0), rows.length - 1)])
  }
  const toggle = () => {
    const id = rowInFocus()?.dataset['notification']
    if (id !== undefined) onToggle(id)
  }
  useKeyboardShortcuts({ KeyJ: () => moveBy(1), KeyK: () => moveBy(-1), KeyU: toggle }, isEnabled)
  // The row in focus is gone, such as one that is no longer unread: the next one takes its place. Before the focus keeper,
  // which would focus the row, not its link.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body && document.activeElement?.tagName !== 'DIALOG') return
    if (last.current >= 0) focusRow(rowsOf(container.current).at(Math.min(last.current, count - 1)))
    last.current = -1
  }, [container, count])
  return {
    onFocus: () => {
      const row = rowInFocus()
      last.current = row ? rowsOf(container.current).indexOf(row) : -1
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!isEnabled || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
      // Everywhere else, such as at "Show more", and with a modifier, the arrows are the browser's.
      const isRowLink = event.target === rowInFocus()?.querySelector('a')
      if (!isRowLink || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      moveBy(event.key === 'ArrowDown' ? 1 : -1)
    },
  }
}
