import type { MouseEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'

/** Takes back what a list was narrowed to, and leads to the list's search field: the button itself goes. */
export function ClearButton({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  const clear = ({ currentTarget }: MouseEvent) => {
    const list = currentTarget.closest(':has([type=search])')
    flushSync(onClear)
    list?.querySelector<HTMLElement>('[type=search]')?.focus()
  }
  return <Button onClick={clear}>{children}</Button>
}
