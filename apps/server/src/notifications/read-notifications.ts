import { appErrors, type contract, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { markNotifications } from './inbox-commands.ts'
import { countUnread, findOwnNotifications } from './queries.ts'

type ReadRoute = typeof contract.notifications.read

/** Marks notifications as read or unread. Throws if one of the ids is not among the caller’s. */
export function readNotifications(
  { db, user }: AuthenticatedContext,
  { ids, until, isRead, readAt }: ParsedInput<ReadRoute>,
): Promise<Output<ReadRoute>> {
  return inTransaction(db, async (tx) => {
    const requestedIds = [...new Set(ids ?? (until === undefined ? [] : [until]))]
    const own = await findOwnNotifications(tx, user.id, requestedIds)
    if (own.length < requestedIds.length) throw new AppError(appErrors.notificationMissing)
    const range = until === undefined ? { ids: requestedIds } : { until: own[0]?.sequence ?? 0 }
    const marked = await markNotifications(tx, user.id, range, { isRead, readAt: readAt ? new Date(readAt) : null })
    const at = marked.find((row) => row.readAt !== null)?.readAt ?? null
    return { changed: marked.length, readAt: at?.toISOString() ?? null, unread: await countUnread(tx, user.id) }
  })
}
