import { reloadPage } from './reload-page.ts'
import { clearSession } from './session.ts'

/** Nobody is signed in any more: forgets the session, goes home and reloads the page. Toasts outlive the reload. */
export function signOutAndReload(): void {
  clearSession()
  history.replaceState(null, '', '/')
  window.scrollTo({ top: 0, behavior: 'instant' })
  reloadPage()
}
