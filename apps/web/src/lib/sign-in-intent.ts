import { openDialog, type SignInIntent, useOpenDialog } from './dialogs.ts'
import { t } from './i18n.ts'
import { currentHash } from './navigation/navigation.ts'
import { currentUser, isAdmin, userOfEndedSession } from './session.ts'
import { tabStore } from './storage.ts'

const STORAGE_KEY = 'signInReturn'
/** Longer than an external sign-in takes, so that the next person at a shared device does not inherit it. */
const TTL_MS = 15 * 60_000

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
interface SignInReturn {
  hash: string
  intent?: SignInIntent | undefined
  expiresAt: number
}

/**
 * Opens what the visitor asked for before signing in. Administrators are taken to their area instead; they continue only what
 * they were doing when their session ended.
 */
export function continueIntent(intent: SignInIntent | undefined): void {
  const user = currentUser()
  if (!user || !intent) return
  const continues = intent.userId === undefined ? !isAdmin(user) : intent.userId === user.id
  if (continues) openDialog(intent)
}

function writeSignInReturn({ hash, intent }: Omit<SignInReturn, 'expiresAt'>): void {
  tabStore.writeJson(STORAGE_KEY, { hash, intent, expiresAt: Date.now() + TTL_MS } satisfies SignInReturn)
}

/** Stores the place and the intent for this tab before the page is left for the external provider. */
export function storeSignInReturn(intent: SignInIntent | undefined): void {
  writeSignInReturn({ hash: currentHash(), intent })
}

/** Removes what was stored, so that it is used once at most. */
export function takeSignInReturn(): SignInReturn | null {
  // Only `storeSignInReturn` writes this key.
  const stored = tabStore.readJson(STORAGE_KEY) as SignInReturn | null
  tabStore.remove(STORAGE_KEY)
  return stored && stored.expiresAt > Date.now() ? stored : null
}

/** Starts the time to live of what is stored again: for another attempt at the external provider, or for the page after it. */
export function renewSignInReturn(): void {
  writeSignInReturn(takeSignInReturn() ?? { hash: '' })
}
