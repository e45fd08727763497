import { prepared, type Reader } from '@community/db'
import {
  challenges,
  mailBounces,
  notificationPreferences,
  notifications,
  notificationSettings,
  users,
} from '@community/db/schema'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { stillTrueCondition, knownKindCondition } from './queries.ts'

/** Entries that a digest shows; the others are in the app. */
const DIGEST_ENTRIES_MAX = 50

const bouncesOfUser = and(eq(mailBounces.userId, users.id), eq(mailBounces.email, users.email))
const preferenceOfKind = and(
  eq(notificationPreferences.userId, users.id),
  eq(notificationPreferences.kind, notifications.kind),
)

/** Selects notifications with the data of their mails, except those of banned recipients. */
const selectMails = (db: Reader, condition: SQL) =>
  db
    .select({
      notification: {
        id: notifications.id,
        kind: notifications.kind,
        params: notifications.params,
        teamId: notifications.teamId,
        // Null once it is deleted.
        challengeId: challenges.id,
        submissionId: notifications.submissionId,
        body: sql<null>`null`,
        createdAt: notifications.createdAt,
        readAt: notifications.readAt,
      },
      settings: notificationSettings,
      userId: users.id,
      email: users.email,
      language: users.language,
      isUnwanted: sql<boolean>`coalesce(${notificationPreferences.mail} = 'off', false) or not ${stillTrueCondition}`,
      total: sql<number>`count(*) over ()::int`,
      isPaused: sql<boolean>`${mailBounces.pausedAt} is not null`,
    })
    .from(notifications)
    .innerJoin(users, and(eq(users.id, notifications.userId), sql`not ${users.isBanned}`))
    .leftJoin(challenges, and(eq(challenges.id, notifications.challengeId), isNull(challenges.deletedAt)))
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .leftJoin(mailBounces, bouncesOfUser)
    .leftJoin(notificationPreferences, preferenceOfKind)
    .where(condition)
    .orderBy(notifications.sequence)

const mailById = prepared('notifications.mail', (db) => selectMails(db, eq(notifications.id, sql.placeholder('id'))))
const wantedCondition = sql`${notifications.readAt} is null and ${mailBounces.pausedAt} is null
  and ${notificationPreferences.mail} is distinct from 'off' and ${knownKindCondition} and ${stillTrueCondition}`
const inDigestCondition = sql`${notifications.digestId} = ${sql.placeholder('digestId')} and ${wantedCondition}`
const mailsOfDigest = prepared('notifications.digest', (db) =>
  selectMails(db, inDigestCondition).limit(DIGEST_ENTRIES_MAX),
)
const kindsOfDigest = prepared('notifications.digest-kinds', (db) =>
  db
    .selectDistinct({ kind: notifications.kind })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(mailBounces, bouncesOfUser)
    .leftJoin(notificationPreferences, preferenceOfKind)
    .where(inDigestCondition),
)

/** The data of a notification’s mail; undefined if it was deleted or its recipient is banned. */
export async function findNotificationMail(db: Reader, id: string) {
  const [row] = await mailById(db, { id })
  return row
}

export type NotificationMail = NonNullable<Awaited<ReturnType<typeof findNotificationMail>>>

/** The first notifications of a digest that are unread, still true and still wanted by mail, the oldest first; each has their `total`. */
export const findDigest = (db: Reader, digestId: string) => mailsOfDigest(db, { digestId })

/** The kinds of those notifications, also of the ones that the digest only counts. */
export async function findDigestKinds(db: Reader, digestId: string) {
  const rows = await kindsOfDigest(db, { digestId })
  return rows.map(({ kind }) => kind)
}
