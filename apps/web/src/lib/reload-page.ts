import { queryClient } from './query-client.ts'

/** How long to wait for the reload, in ms: the network may be slow, or another navigation may have cancelled it. */
const RELOAD_TIMEOUT_MS = 3000

/**
 * Reloads the page and makes it inert meanwhile, as whatever a click opens would be lost. After the timeout the page becomes usable
 * again and fetches its data anew.
 */
export function reloadPage(): void {
  document.body.inert = true
  setTimeout(() => {
    document.body.inert = false
    void queryClient.invalidateQueries()
  }, RELOAD_TIMEOUT_MS)
  window.location.reload()
}
