import type { MailFrequency, NotificationKindName } from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, timestamptz, users } from './accounts.ts'
import { refreshFamilies } from './sign-ins.ts'

/** A notification of one user, written in the transaction of its cause. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Insertion order: lists and the live stream follow it. A smaller one may be committed later. */
    sequence: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<NotificationKindName>().notNull(),
    params: jsonb().$type<Record<string, string | number | null>>().notNull(),
    /** Unique per user, so that a cause which occurs again, such as a job that runs twice, writes the notification once. */
    key: text(),
    /** The person that `params` names: their deletion deletes the notification. */
    subjectId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    // No foreign keys, because deleting a challenge would update a row of every user. Lists omit the ids of deleted objects.
    teamId: uuid(),
    challengeId: uuid(),
    submissionId: uuid(),
    announcementId: uuid(),
    /** The channels by the person's preferences when it was written. */
    isInApp: boolean().notNull(),
    mail: text().$type<MailFrequency>().notNull(),
    push: boolean().notNull(),
    /** The digest email that contains it; null until then, and for notifications that are not mailed in a digest. */
    digestId: uuid(),
    createdAt: createdAt(),
    readAt: timestamptz(),
  },
  (t) => [
    // Includes rows without a key, because deleting an account finds its notifications by this index.
    uniqueIndex('notifications_key').on(t.userId, t.key),
    index('notifications_newest').on(t.userId, t.sequence.desc()).where(sql`${t.isInApp}`),
    index('notifications_unread').on(t.userId, t.sequence.desc()).where(sql`${t.isInApp} and ${t.readAt} is null`),
    index('notifications_created').on(t.createdAt),
    index('notifications_subject').on(t.subjectId).where(sql`${t.subjectId} is not null`),
    index('notifications_undigested')
      .on(t.userId)
      .where(sql`${t.mail} in ('daily', 'weekly') and ${t.digestId} is null`),
    index('notifications_digest').on(t.digestId).where(sql`${t.digestId} is not null`),
    check('notifications_channels', sql`${t.isInApp} or ${t.push} or ${t.mail} <> 'off'`),
  ],
)

/** The channels that a user has chosen for a kind. */
export const notificationPreferences = pgTable(
  'notification_preferences',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<NotificationKindName>().notNull(),
    app: boolean().notNull(),
    mail: text().$type<MailFrequency>().notNull(),
    push: boolean().notNull(),
  },
  (t) => [primaryKey({ name: 'notification_preferences_pk', columns: [t.userId, t.kind] })],
)

/** When a user gets mails. Users without a row have `DEFAULT_NOTIFICATION_SETTINGS`. */
export const notificationSettings = pgTable(
  'notification_settings',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    digestHour: smallint().notNull(),
    /** 1 is Monday. */
    digestWeekday: smallint().notNull(),
    /** `HH:MM` in `timeZone`. */
    quietFrom: text(),
    quietTo: text(),
    timeZone: text().notNull(),
    updatedAt: createdAt(),
  },
  (t) => [
    index('notification_settings_hours').on(t.timeZone, t.digestHour, t.digestWeekday, t.userId),
    // For the digests of people who have changed their hours.
    index('notification_settings_updated').on(t.updatedAt),
    check('notification_settings_digest', sql`${t.digestHour} between 0 and 23 and ${t.digestWeekday} between 1 and 7`),
    check('notification_settings_quiet', sql`(${t.quietFrom} is null) = (${t.quietTo} is null)`),
  ],
)

/** Consecutive permanent rejections of mails to an account’s address. */
export const mailBounces = pgTable(
  'mail_bounces',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The rejected address; the account may have another one by now. */
    email: text().notNull(),
    failures: integer().notNull(),
    /** When the mails were paused; null if they are not. */
    pausedAt: timestamptz(),
  },
  (t) => [check('mail_bounces_failures', sql`${t.failures} > 0`)],
)

/** Where push messages for the device of a sign-in are sent. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    familyId: uuid()
      .primaryKey()
      .references(() => refreshFamilies.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Unique, because a browser has one subscription: it belongs to the user who subscribed there last. */
    endpoint: text().notNull().unique('push_subscriptions_endpoint'),
    /** The browser's public key and secret, which encrypt messages for it. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('push_subscriptions_user').on(t.userId)],
)
