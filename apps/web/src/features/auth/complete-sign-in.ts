import type { SignInResult } from '@community/contract'
import { emit } from '../../lib/events.ts'
import { storeSession } from '../../lib/session.ts'

/** Milliseconds after a sign-in at which admins are led to their area. */
const REDIRECT_DELAY_MS = 100

/**
 * Lets somebody in: the modal closes, the session is kept, and admins go to the admin view.
 * The modal closes first: who waits for the session may open another dialog.
 */
export function completeSignIn(signedIn: SignInResult, close: () => void): void {
  close()
  storeSession(signedIn)
  if (signedIn.user.role === 'admin') setTimeout(() => emit('navigateToAdmin'), REDIRECT_DELAY_MS)
}
