import type { ReactNode } from 'react'
import { useNear } from '../../ui/use-near.ts'

interface WhenNearProps {
  /** Rendered until then; should have the height of the children. */
  className?: string
  children: ReactNode
}

/** Renders its children once they are about to scroll into view. */
export function WhenNear({ className, children }: WhenNearProps) {
  const [element, near] = useNear<HTMLDivElement>()
  return (
    <div ref={element} className={near ? undefined : className}>
      {near && children}
    </div>
  )
}
