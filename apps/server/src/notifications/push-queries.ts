import { prepared, type Reader } from '@community/db'
import {
  notificationPreferences,
  notifications,
  notificationSettings,
  pushSubscriptions,
  refreshFamilies,
  users,
} from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import { activeFilter } from '../auth/session-queries.ts'
import { stillTrueCondition } from './queries.ts'

const byFamily = prepared('push.by-family', (db) =>
  db
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.familyId, sql.placeholder('familyId'))),
)

/** Where push messages for a session's device are sent; undefined if none are. */
export async function findPushEndpoint(db: Reader, familyId: string): Promise<string | undefined> {
  const [row] = await byFamily(db, { familyId })
  return row?.endpoint
}

const messageById = prepared('push.message', (db) =>
  db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      params: notifications.params,
      readAt: notifications.readAt,
      endpoint: pushSubscriptions.endpoint,
      p256dh: pushSubscriptions.p256dh,
      auth: pushSubscriptions.auth,
      language: users.language,
      settings: notificationSettings,
      isUnwanted: sql<boolean>`coalesce(not ${notificationPreferences.push}, false) or not ${stillTrueCondition}`,
    })
    .from(notifications)
    .innerJoin(users, and(eq(users.id, notifications.userId), sql`not ${users.isBanned}`))
    .innerJoin(refreshFamilies, and(eq(refreshFamilies.userId, users.id), activeFilter))
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.familyId, refreshFamilies.id))
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .leftJoin(
      notificationPreferences,
      and(eq(notificationPreferences.userId, users.id), eq(notificationPreferences.kind, notifications.kind)),
    )
    .where(
      and(eq(notifications.id, sql.placeholder('notificationId')), eq(refreshFamilies.id, sql.placeholder('familyId'))),
    ),
)

/** The data of a push message; undefined once the notification, the subscription or the sign-in has ended. */
export async function findPushMessage(db: Reader, message: { notificationId: string; familyId: string }) {
  const [row] = await messageById(db, message)
  return row
}
