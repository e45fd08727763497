import { openDialog, type SignInIntent, useOpenDialog } from './dialogs.ts'
import { t } from './i18n.ts'
import { currentUser, isAdmin, userOfEndedSession } from './session.ts'
import { tabStore } from './storage.ts'

export const SIGN_IN_RETURN_KEY = 'signInReturn'

/** The open dialog, for this user to continue; undefined if it does not survive a sign-in. */
function openIntent(userId: string): SignInIntent | undefined {
  const open = useOpenDialog.getState()
  switch (open?.name) {
    case 'team':
    case 'createTeam':
    case 'createChallenge':
    case 'editChallenge':
      return { ...open, userId }
    default:
      return undefined
  }
}

/** After a write that failed because the session has ended: asks the user to sign in again and continues. */
export function askToSignInAgain(): void {
  const userId = userOfEndedSession()
  if (currentUser() || userId === null) return
  const reason = t('Your session has ended. Please sign in again.')
  openDialog({ name: 'signInPrompt', reason, intent: openIntent(userId) })
}

/** Where an external sign-in returns to, and what it continues. */
export interface SignInReturn {
  hash: string
  intent?: SignInIntent | undefined
  expiresAt: number
}

/**
 * Opens what the visitor asked for before signing in. Administrators are taken to their area instead; they continue only a
 * link to their account, and what they were doing when their session ended.
 */
export function continueIntent(intent: SignInIntent | undefined): void {
  const user = currentUser()
  if (!user || !intent) return
  const { name, userId } = intent
  const continues = userId === undefined ? name === 'account' || !isAdmin(user) : userId === user.id
  if (continues) openDialog(intent)
}

/** Removes what was stored, so that it is used once at most. */
export function takeSignInReturn(): SignInReturn | null {
  // Only `sign-in-return.ts` writes this key.
  const stored = tabStore.readJson(SIGN_IN_RETURN_KEY) as SignInReturn | null
  tabStore.remove(SIGN_IN_RETURN_KEY)
  return stored && stored.expiresAt > Date.now() ? stored : null
}
