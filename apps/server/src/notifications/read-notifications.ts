import { appErrors, type contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { markNotifications } from './inbox-commands.ts'
import { countUnread, findOwnNotifications } from './queries.ts'

/** Marks notifications as read or unread. Throws if one of the ids is not among the caller’s. */
export const readNotifications: UseCase<typeof contract.notifications.read> = (
  { db, user },
  { ids, until, isRead, readAt },
) =>
  inTransaction(db, async (tx) => {
    const requestedIds = [...new Set(ids ?? (until === undefined ? [] : [until]))]
    const own = await findOwnNotifications(tx, user.id, requestedIds)
    if (own.length < requestedIds.length) throw new AppError(appErrors.notificationMissing)
    const range = until === undefined ? { ids: requestedIds } : { until: own[0]?.sequence ?? 0 }
    const marked = await markNotifications(tx, user.id, range, { isRead, readAt: readAt ? new Date(readAt) : null })
    const at = marked.find((row) => row.readAt !== null)?.readAt ?? null
    return { changed: marked.length, readAt: at?.toISOString() ?? null, unread: await countUnread(tx, user.id) }
  })
