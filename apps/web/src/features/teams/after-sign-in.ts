import { openDialog, signInDismissal } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { currentUser, isAdmin, subscribeSession } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'

const STORAGE_KEY = 'pending-intent'

/** The team to open; without one, the create-team wizard opens. */
interface PendingIntent {
  teamId?: string
}

let clearPendingIntent = () => {}

function runIfSignedIn({ teamId }: PendingIntent): void {
  const user = currentUser()
  if (!user) return
  clearPendingIntent()
  if (isAdmin(user)) return
  if (teamId) openDialog({ name: 'team', teamId })
  else emit('openCreateTeamModal')
}

/**
 * Runs the intent once the visitor has signed in. Dismissing sign-in or setting another intent discards it, and so does an
 * administrator's sign-in, which leads to the dashboard.
 */
export function afterSignIn(intent: PendingIntent): void {
  clearPendingIntent()
  // Google sign-in redirects away from the page: persist the intent.
  tabStore.writeJson(STORAGE_KEY, intent)
  const stopSession = subscribeSession(() => runIfSignedIn(intent))
  const stopDismissal = signInDismissal.subscribe(() => clearPendingIntent())
  clearPendingIntent = () => {
    stopSession()
    stopDismissal()
    tabStore.remove(STORAGE_KEY)
    clearPendingIntent = () => {}
  }
}

/** Restores the intent saved before a redirect and runs it now or after sign-in. */
export function resumePendingIntent(): void {
  // Only `afterSignIn` writes this key.
  const intent = tabStore.readJson(STORAGE_KEY) as PendingIntent | null
  if (!intent) return
  afterSignIn(intent)
  runIfSignedIn(intent)
}
