import { useEffect, useState } from 'react'
import { useUser } from '../../lib/session.ts'

/** Closes what a visitor opened to sign in, once somebody has signed in, be it in another tab. */
export function useVisitorOnly(onClose: () => void): void {
  const isVisitor = useUser() === null
  const [wasVisitor] = useState(isVisitor)
  const hasSignedIn = wasVisitor && !isVisitor
  useEffect(() => {
    if (hasSignedIn) onClose()
  }, [hasSignedIn, onClose])
}
