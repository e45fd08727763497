import type { NotificationPreference, NotificationSettings } from '@community/contract'
import { type Tx, wallClock } from '@community/db'
import { notificationPreferences, notifications, notificationSettings } from '@community/db/schema'
import { and, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { knownKindCondition } from './queries.ts'

/** Notifications that one statement marks: far below the statement timeout. */
export const MARKED_BATCH = 5000

/**
 * Marks the next notifications of a range as read or unread. As read they get the time `readAt`, by default now; as unread it limits an
 * undo to those that one call marked.
 */
export function markNextNotifications(
  tx: Tx,
  userId: string,
  range: { ids: string[] } | { until: number },
  { isRead, readAt }: { isRead: boolean; readAt: Date | null },
) {
  const { id, isInApp, sequence, readAt: column } = notifications
  const stateCondition = isRead ? isNull(column) : and(isNotNull(column), readAt ? eq(column, readAt) : undefined)
  const next = tx
    .select({ id })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        sql`${isInApp}`,
        knownKindCondition,
        'ids' in range ? inArray(id, range.ids) : lte(sequence, range.until),
        stateCondition,
      ),
    )
    // The index cannot serve `desc()`, which sorts nulls first.
    .orderBy(sql`${sequence} desc nulls last`)
    .limit(MARKED_BATCH)
    // With the lock, rows that a concurrent call marks first do not count towards the limit: only the last batch is smaller, which ends the
    // loop of `readNotifications`.
    .for('no key update')
  return tx
    .update(notifications)
    .set({ readAt: isRead ? (readAt ?? sql`now()`) : null })
    .where(inArray(id, next))
    .returning({ readAt: column })
}

/** Stores the channels of these kinds. */
export async function upsertPreferences(
  tx: Tx,
  userId: string,
  changed: Omit<NotificationPreference, 'isSafety'>[],
): Promise<void> {
  if (changed.length === 0) return
  await tx
    .insert(notificationPreferences)
    .values(changed.map((channels) => ({ userId, ...channels })))
    .onConflictDoUpdate({
      target: [notificationPreferences.userId, notificationPreferences.kind],
      set: { app: sql`excluded.app`, mail: sql`excluded.mail`, push: sql`excluded.push` },
    })
}

export async function upsertSettings(
  tx: Tx,
  userId: string,
  { quietHours, ...settings }: NotificationSettings,
): Promise<void> {
  const values = {
    ...settings,
    quietFrom: quietHours?.from ?? null,
    quietTo: quietHours?.to ?? null,
    updatedAt: wallClock,
  }
  await tx
    .insert(notificationSettings)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: notificationSettings.userId, set: values })
}
