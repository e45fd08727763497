import type { NOTIFICATION_KINDS, NotificationKindFor } from '@community/contract'
import type { Tx } from '@community/db'
import { insertNotifications, insertTeamNotifications, type UnkeyedNotification } from './commands.ts'

/** A team, whose current members are notified, or some people. */
interface Recipients {
  team: { teamId: string }
  people: { userIds: string[] }
}

/**
 * Notifies the recipients of a kind in the transaction of the cause: call it under the cause’s locks. In a `Promise.all` it sees the
 * members as changed by the writes listed before it. For an audience use `notifyLater`.
 */
export async function notify<N extends NotificationKindFor<keyof Recipients>>(
  tx: Tx,
  recipients: Recipients[(typeof NOTIFICATION_KINDS)[N]['recipients']],
  about: UnkeyedNotification<N>,
): Promise<void> {
  const anyKind = about as unknown as UnkeyedNotification
  if ('teamId' in recipients) await insertTeamNotifications(tx, recipients.teamId, anyKind)
  else if (recipients.userIds.length > 0) await insertNotifications(tx, recipients.userIds, anyKind)
}
