import { clearSession } from './session.ts'

/** Nobody is signed in any more: forgets the session and goes home. What does this reloads the page; toasts outlive it. */
export function leaveSession(): void {
  clearSession()
  history.replaceState(null, '', '/')
  window.scrollTo({ top: 0, behavior: 'instant' })
}
