import { signOutAndReload } from '../lib/sign-out-and-reload.ts'
import { storedRefreshToken } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

/** Ends the session on the server and here, goes home, and reloads the page, whatever the server says. */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const logout = trpc.auth.logout.useMutation({
    meta: { invalidates: [] },
    onSettled: signOutAndReload,
  })
  const signOut = () => {
    const refreshToken = storedRefreshToken()
    logout.mutate(refreshToken ? { refreshToken } : {})
  }
  return { signOut, isSigningOut: logout.isPending }
}
