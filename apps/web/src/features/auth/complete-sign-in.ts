import type { SignInResult } from '@community/contract'
import type { SignInIntent } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { storeSession } from '../../lib/session.ts'
import { continueIntent } from '../../lib/sign-in-intent.ts'

/** Milliseconds from the sign-in until admins are taken to the admin area. */
const REDIRECT_DELAY_MS = 100

/** Closes the modal, stores the session and continues; takes admins to the admin area. */
export function completeSignIn(signedIn: SignInResult, close: () => void, intent?: SignInIntent): void {
  close()
  storeSession(signedIn)
  continueIntent(intent)
  if (signedIn.user.role === 'admin') setTimeout(() => emit('navigateToAdmin'), REDIRECT_DELAY_MS)
}
