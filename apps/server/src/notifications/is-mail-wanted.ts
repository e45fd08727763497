import { NOTIFICATION_KINDS, notificationKindOf } from '@community/contract'
import type { Reader } from '@community/db'
import { NOTIFICATION_MAIL_JOB } from './commands.ts'
import { DIGEST_JOB } from './digest-commands.ts'
import { findDigest, findNotificationMail, type NotificationMail } from './mail-queries.ts'

/** Whether a notification is mailed: kinds that concern safety always, others only if they are still wanted, true, unread and not paused. */
export function isNotificationWanted({ notification, isUnwanted, isPaused }: NotificationMail): boolean {
  return notificationKindOf(notification.kind).isSafety || !(isUnwanted || isPaused || notification.readAt)
}

/** Whether the job of a mail would still send it. Mails without notifications are always sent. */
export async function isMailWanted(db: Reader, { kind, key }: { kind: string; key: string | null }): Promise<boolean> {
  if (key === null) return true
  if (kind === DIGEST_JOB) return (await findDigest(db, key)).length > 0
  if (kind !== NOTIFICATION_MAIL_JOB) return true
  const found = await findNotificationMail(db, key)
  if (!found) return false
  // A newer version of the server knows the other kinds, and decides.
  return !Object.hasOwn(NOTIFICATION_KINDS, found.notification.kind) || isNotificationWanted(found)
}
