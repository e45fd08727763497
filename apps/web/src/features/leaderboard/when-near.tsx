import type { ReactNode } from 'react'
import { useNear } from '../../ui/use-near.ts'

interface WhenNearProps {
  /** Holds the place until then: give it the height of what will come. */
  className?: string
  children: ReactNode
}

/** Draws what is in it once the reader comes near. */
export function WhenNear({ className, children }: WhenNearProps) {
  const [element, near] = useNear<HTMLDivElement>()
  return (
    <div ref={element} className={near ? undefined : className}>
      {near && children}
    </div>
  )
}
