import { useEffect, useState } from 'react'
import type { SignInIntent } from '../../lib/dialogs.ts'
import { useUser } from '../../lib/session.ts'
import { continueIntent } from '../../lib/sign-in-intent.ts'

/** Closes a dialog for visitors when the user signs in, also in another tab, and continues with what they asked for. */
export function useVisitorOnly(onClose: () => void, intent?: SignInIntent): void {
  const isVisitor = useUser() === null
  const [wasVisitor] = useState(isVisitor)
  const hasSignedIn = wasVisitor && !isVisitor
  useEffect(() => {
    if (!hasSignedIn) return
    onClose()
    continueIntent(intent)
  }, [hasSignedIn, onClose, intent])
}
