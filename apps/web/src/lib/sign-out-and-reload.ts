import { reloadPage } from './reload-page.ts'
import { clearSession } from './session.ts'

/** Clears the session, goes to the top of the page and reloads it. Toasts survive the reload. */
export function signOutAndReload(): void {
  clearSession()
  history.replaceState(null, '', '/')
  window.scrollTo({ top: 0, behavior: 'instant' })
  reloadPage()
}
