import type { MouseEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'

/** Clears the filters of a list and focuses its search field, because the button itself disappears. */
export function ClearButton({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  const clear = ({ currentTarget }: MouseEvent) => {
    const list = currentTarget.closest(':has([type=search])')
    flushSync(onClear)
    list?.querySelector<HTMLElement>('[type=search]')?.focus()
  }
  return <Button onClick={clear}>{children}</Button>
}
