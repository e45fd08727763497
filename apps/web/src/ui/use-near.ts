import { type RefObject, useEffect, useRef, useState } from 'react'

/** Elements this close to the window count as near. */
const AHEAD = '400px'

/** Whether the element with this ref has ever been near the window. */
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
