import type { NOTIFICATION_KINDS, NotificationKindFor } from '@community/contract'
import type { Tx } from '@community/db'
import { insertNotification, insertTeamNotifications, type UnkeyedNotification } from './commands.ts'

/** What to pass for a kind, by its `recipients`. */
interface RecipientsByType {
  team: { teamId: string }
  person: { userId: string }
}

/**
 * Notifies a person, or a team's current members. Call it in the transaction that made the change, while its rows are locked; in a
 * `Promise.all` list it after the writes that change members: statements run in the order in which they are sent. For an audience use `notifyLater`.
 */
export async function notify<N extends NotificationKindFor<keyof RecipientsByType>>(
  tx: Tx,
  recipients: RecipientsByType[(typeof NOTIFICATION_KINDS)[N]['recipients']],
  about: UnkeyedNotification<N>,
): Promise<void> {
  // The statements treat all kinds alike.
  const untyped = about as unknown as UnkeyedNotification
  if ('teamId' in recipients) await insertTeamNotifications(tx, recipients.teamId, untyped)
  else await insertNotification(tx, recipients.userId, untyped)
}
