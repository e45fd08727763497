import { useAction } from '../lib/action.ts'
import { leaveSession } from '../lib/leave-session.ts'
import { ignoringErrors } from '../lib/procedure.ts'
import { storedRefreshToken } from '../lib/session.ts'
import { trpcClient } from '../lib/trpc.ts'

/** Signs out on the server, then here, even if the server failed, and reloads the page. */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const { run, isPending } = useAction(ignoringErrors(trpcClient.auth.logout), {
    input: (refreshToken: string | null) => (refreshToken ? { refreshToken } : {}),
    onSuccess: leaveSession,
    reloads: true,
  })
  return { signOut: () => void run(storedRefreshToken()), isSigningOut: isPending }
}
