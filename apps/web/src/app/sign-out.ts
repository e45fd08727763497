import { useAction } from '../lib/action.ts'
import { leaveSession } from '../lib/leave-session.ts'
import { storedRefreshToken } from '../lib/session.ts'
import { trpcClient } from '../lib/trpc.ts'

/** Succeeds even if the server fails. */
const logout = {
  mutate: async (refreshToken: string | null): Promise<void> => {
    await trpcClient.auth.logout.mutate(refreshToken ? { refreshToken } : {}).catch(() => undefined)
  },
}

/** Signs out on the server and here, and reloads the page. */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const { run, isPending } = useAction(logout, { onSuccess: leaveSession, reloads: true })
  return { signOut: () => void run(storedRefreshToken()), isSigningOut: isPending }
}
