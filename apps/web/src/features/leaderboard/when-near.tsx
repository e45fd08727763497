import { type ReactNode, useEffect, useRef, useState } from 'react'

/** How far below the window it begins to load. */
const AHEAD = '400px'

interface WhenNearProps {
  /** Holds the place until then: give it the height of what will come. */
  className?: string
  children: ReactNode
}

/** Draws what is in it once the reader comes near. */
export function WhenNear({ className, children }: WhenNearProps) {
  const element = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: AHEAD,
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={element} className={near ? undefined : className}>
      {near && children}
    </div>
  )
}
