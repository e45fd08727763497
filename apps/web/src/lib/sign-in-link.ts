import { useEffect } from 'react'
import { openDialog } from './dialogs.ts'
import { emit } from './events.ts'
import { t } from './i18n.ts'
import { consumeHash, goToHash } from './navigation/navigation.ts'
import { loadPendingCode } from './pending-code.ts'
import { currentUser, isAdmin } from './session.ts'
import { continueIntent, takeSignInReturn } from './sign-in-intent.ts'
import { toast } from './toasts.ts'

const HASH = '#sign-in'
/** The server redirects here after a failed external sign-in. */
const FAILED_HASH = '#external-sign-in-failed'

/** Opens the sign-in dialog on the page; for links of other pages. */
export const SIGN_IN_ADDRESS = `/${HASH}`

/**
 * Returns to where an external sign-in began, and continues there; takes administrators to their area. If it failed, says so in a
 * toast. Opens the sign-in dialog if the address asks for it, after a failure if the visitor asked for something, or at the step for
 * a mailed code that was open before the page was loaded again.
 */
export function useSignInLink(): void {
  useEffect(() => {
    // The code page of the external sign-in is on the way.
    if (window.location.pathname !== '/') return
    const stored = takeSignInReturn()
    const asksForSignIn = consumeHash(HASH)
    const hasFailed = consumeHash(FAILED_HASH)
    if (hasFailed) toast.error(t('Login failed'), t("We couldn't sign you in. Please try again."))
    const pending = loadPendingCode()
    const user = currentUser()
    const isSignedIn = user !== null
    // The dialogs start to listen in an effect of the same commit.
    setTimeout(() => {
      if (stored && isAdmin(user)) emit('navigateToAdmin')
      else if (stored && (isSignedIn || asksForSignIn || hasFailed)) goToHash(stored.hash)
      if (stored && isSignedIn) continueIntent(stored.intent)
      else if ((asksForSignIn && !isSignedIn) || (hasFailed && stored?.intent)) {
        emit('openAuthModal', { mode: 'login', intent: stored?.intent })
      } else if (pending) openDialog({ name: 'auth', mode: pending.purpose, intent: pending.intent, sent: pending })
    })
  }, [])
}
