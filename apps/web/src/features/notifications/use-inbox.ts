import type { Notification } from '@community/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { useT } from '../../lib/i18n.ts'
import { useSingleFlight } from '../../lib/single-flight.ts'
import { createStore } from '../../lib/store.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'

export type Filter = 'all' | 'unread'

/** What the user has just marked, shown until the server's response is. */
const useMarks = createStore<Readonly<Record<string, boolean>>>({})

const setMark = (id: string, isRead: boolean): void => useMarks.setState((marks) => ({ ...marks, [id]: isRead }), true)

/** Unless the user has marked it again meanwhile. */
const removeMark = (id: string, isRead: boolean): void =>
  useMarks.setState(
    (marks) => Object.fromEntries(Object.entries(marks).filter((mark) => mark[0] !== id || mark[1] !== isRead)),
    true,
  )

/** One after the other: marking all must not overtake marking one. */
const AFTERWARDS = { invalidates: ['notifications'], scope: 'notifications' }

/** The user's notifications and what can be done with them. */
export function useInbox(filter: Filter) {
  const t = useT()
  const marks = useMarks()
  const options = trpc.notifications.list.infiniteQueryOptions(filter === 'unread' ? { unread: true } : {}, {
    ...BY_CURSOR,
    staleTime: 0,
  })
  // The server writes the texts: another language is another list.
  const query = useInfiniteQuery({ ...options, queryKey: [...options.queryKey, t.language] as never })
  const list = infiniteList(query, (page) => page.notifications)
  const failure = t('Failed to update notifications')
  const markOne = useAction(trpcClient.notifications.read, {
    input: ({ id, isRead }: { id: string; isRead: boolean }) => ({ ids: [id], isRead }),
    failure,
    ...AFTERWARDS,
  })
  const undo = useAction(trpcClient.notifications.read, {
    input: ({ until, readAt }: { until: string; readAt: string }) => ({ until, isRead: false, readAt }),
    failure,
    ...AFTERWARDS,
  })
  const markAll = useAction(trpcClient.notifications.read, {
    success: ({ changed, readAt }, { until }) =>
      until === undefined || readAt === null || changed === 0
        ? undefined
        : {
            title: t('{count, plural, one {# notification marked as read} other {# notifications marked as read}}', {
              count: changed,
            }),
            action: { label: t('Undo'), run: () => void undo.run({ until, readAt }) },
          },
    failure,
    ...AFTERWARDS,
  })
  const markAllOnce = useSingleFlight(markAll.run)
  const mark = async (id: string, isRead: boolean) => {
    setMark(id, isRead)
    await markOne.run({ id, isRead })
    removeMark(id, isRead)
  }
  return {
    list,
    unread: query.data?.pages.at(-1)?.unread ?? 0,
    isRead: ({ id, readAt }: Notification): boolean => marks[id] ?? readAt !== null,
    mark,
    /** Marks the newest loaded one and all older ones: others may have arrived since. */
    markAll: () => {
      const newest = list.rows[0]
      if (newest) void markAllOnce({ until: newest.id })
    },
    isMarkingAll: markAll.isPending,
  }
}
