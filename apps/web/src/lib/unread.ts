import { useQuery } from '@tanstack/react-query'
import { useUser } from './session.ts'
import { trpc } from './trpc.ts'

/** The shell asks for it in the batch of the profile, so that the first view needs no request more. */
const NEWEST = { limit: 1 }

const SHOWN_MAX = 99

/** The signed-in user's number of unread notifications, and the newest notification. Undefined until known. */
export function useUnread() {
  const isSignedIn = useUser() !== null
  const { data } = useQuery(trpc.notifications.list.queryOptions(NEWEST, { enabled: isSignedIn }))
  const known = isSignedIn ? data : undefined
  return { unread: known?.unread ?? 0, newest: known && (known.notifications[0] ?? null) }
}

/** `7`, or `99+`: in digits that all languages of the page share, as format.ts is not in the initial chunk. */
export const formatUnread = (unread: number): string => (unread > SHOWN_MAX ? `${SHOWN_MAX}+` : `${unread}`)
