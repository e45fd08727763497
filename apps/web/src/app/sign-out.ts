import { beginAnew } from '../lib/begin-anew.ts'
import { storedRefreshToken } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

/** Ends the session on the server and here, goes home, and reloads the page. */
export function useSignOut(): () => void {
  const logout = trpc.auth.logout.useMutation({
    meta: { invalidates: [] },
    onSettled: beginAnew,
  })
  return () => {
    const refreshToken = storedRefreshToken()
    logout.mutate(refreshToken ? { refreshToken } : {})
  }
}
