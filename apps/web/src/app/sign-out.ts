import { useAction } from '../lib/action.ts'
import { leaveSession } from '../lib/leave-session.ts'
import { storedRefreshToken } from '../lib/session.ts'
import { trpcClient } from '../lib/trpc.ts'

/** Whatever the server says. */
const logout = {
  mutate: async (refreshToken: string | null): Promise<void> => {
    await trpcClient.auth.logout.mutate(refreshToken ? { refreshToken } : {}).catch(() => undefined)
  },
}

/** Ends the session on the server and here, goes home, and reloads the page. */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const { run, isPending } = useAction(logout, { onSuccess: leaveSession, reloads: true })
  return { signOut: () => void run(storedRefreshToken()), isSigningOut: isPending }
}
