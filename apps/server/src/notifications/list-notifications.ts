import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { countUnread, findNotifications, findSettings } from './queries.ts'
import { toNotification, toSettings } from './views.ts'

/** The caller’s notifications, in the language of the request, else of their account. */
export const listNotifications: UseCase<typeof contract.notifications.list> = async ({ db, user, request }, input) => {
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
