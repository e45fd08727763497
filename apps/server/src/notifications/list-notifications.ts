import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { countUnread, findNotifications, findSettings } from './queries.ts'
import { toNotification, toSettings } from './views.ts'

type ListRoute = typeof contract.notifications.list

/** The caller’s notifications, in the language of the request, else of their account. */
export async function listNotifications(
  { db, user, request }: AuthenticatedContext,
  input: ParsedInput<ListRoute>,
): Promise<Output<ListRoute>> {
  const [{ rows, nextCursor }, unread, settings] = await Promise.all([
    findNotifications(db, user.id, input),
    countUnread(db, user.id),
    findSettings(db, user.id),
  ])
  const language = request.acceptedLanguage ?? settings?.language ?? request.language
  const reader = { language, timeZone: toSettings(settings).timeZone }
  return {
    notifications: rows.map((row) => toNotification(row, reader)),
    unread,
    pagination: { limit: input.limit, nextCursor },
  }
}
