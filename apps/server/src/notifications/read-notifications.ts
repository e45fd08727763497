import { appErrors, type contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { MARKED_BATCH, markNextNotifications } from './inbox-commands.ts'
import { countUnread, findOwnNotifications } from './queries.ts'

/** Marks notifications as read or unread, in batches with the same `readAt`. Throws if one of the ids is not among the caller’s. */
export const readNotifications: UseCase<typeof contract.notifications.read> = async (
  { db, user },
  { ids, until, isRead, readAt },
) => {
  const requestedIds = [...new Set(ids ?? (until === undefined ? [] : [until]))]
  const own = await findOwnNotifications(db, user.id, requestedIds)
  if (own.length < requestedIds.length) throw new AppError(appErrors.notificationMissing)
  const range = until === undefined ? { ids: requestedIds } : { until: own[0]?.sequence ?? 0 }
  let at = readAt && !isRead ? new Date(readAt) : null
  let changed = 0
  for (;;) {
    const change = { isRead, readAt: at }
    const marked = await inTransaction(db, (tx) => markNextNotifications(tx, user.id, range, change))
    changed += marked.length
    if (isRead) at ??= marked[0]?.readAt ?? null
    if (marked.length < MARKED_BATCH) break
  }
  return { changed, readAt: isRead ? (at?.toISOString() ?? null) : null, unread: await countUnread(db, user.id) }
}
