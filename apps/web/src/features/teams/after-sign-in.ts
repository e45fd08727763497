import { emit, listen } from '../../lib/events.ts'
import { currentUser, isAdmin, subscribeSession } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'

const STORAGE_KEY = 'pending-intent'

/** The team to open; without one, the wizard that founds one. */
interface PendingIntent {
  teamId?: string
}

let stopWaiting = () => {}

function fulfil({ teamId }: PendingIntent): void {
  const user = currentUser()
  if (!user) return
  stopWaiting()
  if (isAdmin(user)) return
  if (teamId) emit('openTeam', { teamId })
  else emit('openCreateTeamModal')
}

/**
 * Goes on with what a visitor was about to do, once they have signed in. Leaving the dialogs unsigned forgets it, and
 * so does the next wish. Admins are led elsewhere after their sign-in: for them nothing happens.
 */
export function afterSignIn(intent: PendingIntent): void {
  stopWaiting()
  // The external sign-in leads away from this page.
  tabStore.writeJson(STORAGE_KEY, intent)
  const stopSession = subscribeSession(() => fulfil(intent))
  const stopDismissal = listen('signInDismissed', () => stopWaiting())
  stopWaiting = () => {
    stopSession()
    stopDismissal()
    tabStore.drop(STORAGE_KEY)
    stopWaiting = () => {}
  }
}

/** Goes on with what was wished for on the page before this one: now, or once somebody has signed in. */
export function resumePendingIntent(): void {
  // Written by `afterSignIn` alone.
  const wish = tabStore.readJson(STORAGE_KEY) as PendingIntent | null
  if (!wish) return
  afterSignIn(wish)
  fulfil(wish)
}
