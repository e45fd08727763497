import type { NotificationPreference, NotificationSettings } from '@community/contract'
import { type Tx, wallClock } from '@community/db'
import { notificationPreferences, notifications, notificationSettings } from '@community/db/schema'
import { and, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { knownKindCondition } from './queries.ts'

/** Marks the notifications of a range as read or unread; `readAt` limits an undo to those that one call marked. */
export function markNotifications(
  tx: Tx,
  userId: string,
  range: { ids: string[] } | { until: number },
  { isRead, readAt }: { isRead: boolean; readAt: Date | null },
) {
  const { id, isInApp, sequence, readAt: column } = notifications
  return tx
    .update(notifications)
    .set({ readAt: isRead ? sql`now()` : null })
    .where(
      and(
        eq(notifications.userId, userId),
        sql`${isInApp}`,
        knownKindCondition,
        'ids' in range ? inArray(id, range.ids) : lte(sequence, range.until),
        isRead ? isNull(column) : isNotNull(column),
        readAt && !isRead ? eq(column, readAt) : undefined,
      ),
    )
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
