import type { Audience } from '@community/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, timestamptz, users } from './accounts.ts'
import { challenges } from './challenges.ts'
import { teams } from './teams.ts'

/** An administrator's message to many; the job with the same id publishes it. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid().primaryKey().defaultRandom(),
    title: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    audience: text().$type<Audience>().notNull(),
    challengeId: uuid().references(() => challenges.id, { onDelete: 'set null' }),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    publishAt: timestamptz().notNull(),
    /** When the job began to write the notifications. */
    startedAt: timestamptz(),
    /** When all notifications were written. */
    sentAt: timestamptz(),
    recipients: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index('announcements_newest').on(t.createdAt.desc(), t.id),
    index('announcements_challenge').on(t.challengeId),
    index('announcements_created_by').on(t.createdBy),
    check('announcements_state', sql`${t.sentAt} is null or ${t.startedAt} is not null`),
  ],
)

/** A team that asked to be reminded of a challenge's deadline. */
export const challengeReminders = pgTable(
  'challenge_reminders',
  {
    challengeId: uuid()
      .notNull()
      .references(() => challenges.id, { onDelete: 'cascade' }),
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'challenge_reminders_pk', columns: [t.challengeId, t.teamId] }),
    index('challenge_reminders_team').on(t.teamId),
    index('challenge_reminders_created_by').on(t.createdBy),
  ],
)
