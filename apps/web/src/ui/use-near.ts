import { type RefObject, useEffect, useRef, useState } from 'react'

/** How far below the window something counts as near. */
const AHEAD = '400px'

/** Has the reader come near the element that is given this ref? Once they have, it stays so. */
export function useNear<T extends Element>(): [RefObject<T | null>, boolean] {
  const element = useRef<T>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: AHEAD,
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, near]
}
