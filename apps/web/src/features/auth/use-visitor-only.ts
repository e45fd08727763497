import { useEffect, useState } from 'react'
import { useUser } from '../../lib/session.ts'

/** Closes a dialog for visitors when the user signs in, also in another tab. */
export function useVisitorOnly(onClose: () => void): void {
  const isVisitor = useUser() === null
  const [wasVisitor] = useState(isVisitor)
  const hasSignedIn = wasVisitor && !isVisitor
  useEffect(() => {
    if (hasSignedIn) onClose()
  }, [hasSignedIn, onClose])
}
