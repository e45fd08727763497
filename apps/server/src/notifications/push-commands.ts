import { limits, type PushSubscriptionInput } from '@community/contract'
import { pushSubscriptions, refreshFamilies } from '@community/db/schema'
import type { Tx } from '@community/db'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
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

/** Stores the subscription of a locked session instead of its earlier one. Takes it from another session in the same browser. */
export async function upsertPushSubscription(
  tx: Tx,
  owner: { familyId: string; userId: string },
  { endpoint, keys }: PushSubscriptionInput,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.familyId, owner.familyId), ne(pushSubscriptions.endpoint, endpoint)))
  const values = { ...owner, ...keys, createdAt: sql`now()` }
  await tx
    .insert(pushSubscriptions)
    .values({ endpoint, ...values })
    .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values })
  const excess = tx
    .select({ familyId: pushSubscriptions.familyId })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, owner.userId))
    .orderBy(desc(pushSubscriptions.createdAt))
    .offset(limits.PUSH_SUBSCRIPTIONS_MAX)
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.familyId, excess))
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
