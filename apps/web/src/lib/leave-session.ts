import { clearSession } from './session.ts'

/** Clears the session and goes to the top of the page. The caller declares the reload; toasts survive it. */
export function leaveSession(): void {
  clearSession()
  history.replaceState(null, '', '/')
  window.scrollTo({ top: 0, behavior: 'instant' })
}
