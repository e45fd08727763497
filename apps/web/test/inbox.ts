import { Notification } from '@community/contract'
import { aCursorPagination, exampleOf } from '@community/testing'
import type { Handlers } from './fake-backend.ts'

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** The newest has the lowest number. */
export const aNotification = (number: number, overrides: Partial<Notification> = {}): Notification => ({
  ...exampleOf(Notification),
  id: idOf(number),
  _id: idOf(number),
  kind: 'team.member.joined',
  reason: 'member',
  text: `Person ${number} joined Atlas Lions`,
  detail: null,
  href: '#dashboard',
  createdAt: new Date(Date.now() - number * 60_000).toISOString(),
  readAt: null,
  ...overrides,
})

/** An inbox that changes as the server's does. */
export function inboxHandlers(initial: readonly Notification[]) {
  let all = [...initial]
  const unread = () => Math.min(all.filter(({ readAt }) => readAt === null).length, 100)
  const handlers = {
    'notifications.list': ({ unread: only, limit }) => ({
      notifications: all.filter(({ readAt }) => !only || readAt === null).slice(0, limit),
      unread: unread(),
      pagination: aCursorPagination(),
    }),
    'notifications.read': ({ ids, until, isRead = true, readAt = null }) => {
      const marked = isRead ? new Date().toISOString() : null
      const first = until === undefined ? -1 : all.findIndex(({ id }) => id === until)
      const isMeant = (row: Notification, index: number) =>
        (until === undefined ? ids?.includes(row.id) : index >= first) &&
        (isRead ? row.readAt === null : row.readAt !== null && (readAt === null || row.readAt === readAt))
      const changed = all.filter(isMeant).length
      all = all.map((row, index) => (isMeant(row, index) ? { ...row, readAt: marked } : row))
      return { changed, readAt: marked, unread: unread() }
    },
  } satisfies Handlers
  return { handlers, add: (one: Notification) => void all.unshift(one) }
}
