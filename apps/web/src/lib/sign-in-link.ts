import { useEffect } from 'react'
import { emit } from './events.ts'
import { consumeHash } from './navigation/navigation.ts'
import { currentUser } from './session.ts'
import { resumeSignInReturn, takeSignInReturn } from './sign-in-intent.ts'

const HASH = '#sign-in'

/** Opens the sign-in dialog on the page; for links of other pages. */
export const SIGN_IN_ADDRESS = `/${HASH}`

/** Continues after an external sign-in, or opens the sign-in dialog if the address asks for it, and removes the hash. */
export function useSignInLink(): void {
  useEffect(() => {
    // The code page of the external sign-in is on the way.
    if (window.location.pathname !== '/') return
    const stored = takeSignInReturn()
    const asksForSignIn = consumeHash(HASH)
    // The dialogs start to listen in an effect of the same commit.
    setTimeout(() => {
      if (stored && currentUser()) resumeSignInReturn(stored)
      else if (asksForSignIn) emit('openAuthModal', { mode: 'login', intent: stored?.intent })
    })
  }, [])
}
