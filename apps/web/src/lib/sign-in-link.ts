import { useEffect } from 'react'
import { emit } from './events.ts'

const HASH = '#sign-in'

/** Home, with the sign-in open: for pages that are left to sign in. */
export const SIGN_IN_ADDRESS = `/${HASH}`

/** Opens the sign-in for whoever comes by that address, once, and tidies it. */
export function useSignInLink(): void {
  useEffect(() => {
    if (window.location.hash !== HASH) return
    history.replaceState(null, '', window.location.pathname)
    // After the effects of this drawing: the dialogs begin to listen in one of them.
    setTimeout(() => emit('openAuthModal', { mode: 'login' }))
  }, [])
}
