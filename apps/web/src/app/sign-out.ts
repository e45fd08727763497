import { clearSession, storedRefreshToken } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

/** Ends the session on the server and here, goes home, and reloads the page. */
export function useSignOut(): () => void {
  const logout = trpc.auth.logout.useMutation({
    meta: { invalidates: [] },
    onSettled: () => {
      clearSession()
      history.replaceState(null, '', '/')
      window.scrollTo({ top: 0, behavior: 'instant' })
      window.location.reload()
    },
  })
  return () => {
    const refreshToken = storedRefreshToken()
    logout.mutate(refreshToken ? { refreshToken } : {})
  }
}
