import type { SignInResult } from '@community/contract'
import { emit } from '../../lib/events.ts'
import { storeSession } from '../../lib/session.ts'

/** Milliseconds from the sign-in until admins are taken to the admin area. */
const REDIRECT_DELAY_MS = 100

/**
 * Closes the modal, stores the session and takes admins to the admin area.
 * The modal closes first, as listeners of the session may open another dialog.
 */
export function completeSignIn(signedIn: SignInResult, close: () => void): void {
  close()
  storeSession(signedIn)
  if (signedIn.user.role === 'admin') setTimeout(() => emit('navigateToAdmin'), REDIRECT_DELAY_MS)
}
