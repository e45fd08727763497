import type { NotificationKindName } from '@community/contract'
import type { Tx } from '@community/db'
import { insertNotifications, insertTeamNotifications, type UnkeyedNotification } from './commands.ts'

type Recipients = { userIds: string[] } | { teamId: string }

/**
 * Notifies some people, or a team’s current members, in the transaction of the cause: call it under the cause’s locks. In a `Promise.all`
 * it sees the members as changed by the writes listed before it. For many people use `notifyLater`.
 */
export async function notify<N extends NotificationKindName>(
  tx: Tx,
  recipients: Recipients,
  about: UnkeyedNotification<N>,
): Promise<void> {
  const anyKind = about as unknown as UnkeyedNotification
  if ('teamId' in recipients) await insertTeamNotifications(tx, recipients.teamId, anyKind)
  else if (recipients.userIds.length > 0) await insertNotifications(tx, recipients.userIds, anyKind)
}
