import { listen } from '../../lib/events.ts'
import { currentUser, isAdmin, subscribeSession } from '../../lib/session.ts'

let stopWaiting = () => {}

/**
 * Goes on with what a visitor was about to do, once they have signed in. Leaving the dialogs unsigned forgets it, and
 * so does the next wish. Admins are led elsewhere after their sign-in: for them nothing happens.
 */
export function afterSignIn(goOn: () => void): void {
  stopWaiting()
  const stopSession = subscribeSession(() => {
    const user = currentUser()
    if (!user) return
    stopWaiting()
    if (!isAdmin(user)) goOn()
  })
  const stopDismissal = listen('signInDismissed', () => stopWaiting())
  stopWaiting = () => {
    stopSession()
    stopDismissal()
    stopWaiting = () => {}
  }
}
