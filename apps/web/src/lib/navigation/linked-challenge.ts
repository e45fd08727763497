import { useEffect, useState } from 'react'
import { challengeIdOf } from './route.ts'

const currentId = () => challengeIdOf(window.location.hash)

/** The challenge of the URL's hash: a new object each time such a link is followed. */
export interface LinkedChallenge {
  id: string
}

/** The challenge of the URL's hash, `#challenge-{id}`; null until such a link is followed. */
export function useLinkedChallenge(): LinkedChallenge | null {
  const [linked, setLinked] = useState<LinkedChallenge | null>(() => {
    const id = currentId()
    return id === null ? null : { id }
  })
  useEffect(() => {
    const updateFromHash = () => {
      const id = currentId()
      if (id !== null) setLinked({ id })
    }
    // A link to the current hash triggers no `hashchange`. With a modifier key it opens in another tab.
    const onLinkClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]')
      if (link && link.hash === window.location.hash && !(ctrlKey || metaKey || shiftKey)) updateFromHash()
    }
    window.addEventListener('hashchange', updateFromHash)
    document.addEventListener('click', onLinkClick)
    return () => {
      window.removeEventListener('hashchange', updateFromHash)
      document.removeEventListener('click', onLinkClick)
    }
  }, [])
  return linked
}
