import { useEffect } from 'react'
import { emit } from './events.ts'
import { takeHash } from './navigation/navigation.ts'

const HASH = '#sign-in'

/** Opens the sign-in dialog on the page; for links of other pages. */
export const SIGN_IN_ADDRESS = `/${HASH}`

/** Opens the sign-in dialog if the address asks for it, and removes the hash. */
export function useSignInLink(): void {
  useEffect(() => {
    // The dialogs start to listen in an effect of the same commit.
    if (takeHash(HASH)) setTimeout(() => emit('openAuthModal', { mode: 'login' }))
  }, [])
}
