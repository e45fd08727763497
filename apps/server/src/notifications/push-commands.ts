import type { PushSubscriptionInput } from '@community/contract'
import { pushSubscriptions, refreshFamilies } from '@community/db/schema'
import type { Tx } from '@community/db'
import { and, eq, ne, sql } from 'drizzle-orm'
import { activeFilter } from '../auth/session-queries.ts'

/** The kind of the jobs that send one notification to one device. */
export const PUSH_JOB = 'notification-push'

/** Selects one push job per device for the rows of a relation `added`, which `insertFor` returned. */
export const selectPushJobs = sql`
  select ${sql.raw(`'${PUSH_JOB}'`)}, 'push:' || added.id || ':' || device.family_id, ''
  from added join ${pushSubscriptions} device on device.user_id = added.user_id where added.push`

/** The ids in the key of a push job. */
export function parsePushKey(key: string): { notificationId: string; familyId: string } {
  const [, notificationId = '', familyId = ''] = key.split(':')
  return { notificationId, familyId }
}

/** Locks a session (a family of refresh tokens); false if it has ended. */
export async function lockActiveFamily(tx: Tx, familyId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(and(eq(refreshFamilies.id, familyId), activeFilter))
    .for('no key update')
  return rows.length > 0
}

/** Stores the subscription of a locked session, and deletes those of other sessions in the same browser. */
export async function upsertPushSubscription(
  tx: Tx,
  owner: { familyId: string; userId: string },
  { endpoint, keys }: PushSubscriptionInput,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.familyId, owner.familyId)))
  await tx
    .insert(pushSubscriptions)
    .values({ ...owner, endpoint, ...keys })
    .onConflictDoUpdate({ target: pushSubscriptions.familyId, set: { endpoint, ...keys } })
}

/** Deletes a session's subscription; if `endpoint` is given, only one with that endpoint. */
export async function deletePushSubscription(tx: Tx, familyId: string, endpoint?: string): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(
      and(
        eq(pushSubscriptions.familyId, familyId),
        endpoint === undefined ? undefined : eq(pushSubscriptions.endpoint, endpoint),
      ),
    )
}
