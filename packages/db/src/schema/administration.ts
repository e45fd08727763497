import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, language, users } from './accounts.ts'

export const warnings = pgTable(
  'warnings',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('warnings_user').on(t.userId),
    index('warnings_newest').on(t.createdAt.desc(), t.id),
    index('warnings_created_by').on(t.createdBy),
  ],
)

export const blacklist = pgTable(
  'blacklist',
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    /** The address with plus parts and Gmail's dots folded away: what is compared. */
    emailKey: text().notNull(),
    reason: text().notNull(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('blacklist_email_unique').on(t.emailKey),
    index('blacklist_newest').on(t.createdAt.desc(), t.id),
    index('blacklist_created_by').on(t.createdBy),
  ],
)

/** One row: the community's settings. */
export const settings = pgTable(
  'settings',
  {
    id: smallint().primaryKey().default(1),
    teamCreationEnabled: boolean().notNull().default(true),
    /** This community's own name for itself, the same in every backup: its bucket bears it. */
    communityId: uuid().notNull().defaultRandom(),
    /** HMAC of `communityId`, keyed by the APP_SECRET that servers on this database must have; null until one sets it. */
    secretFingerprint: text(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [check('settings_one_row', sql`${t.id} = 1`)],
)

/** What administrators did and tried to do. A trigger refuses every change of a row. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** The order of writing; clients know an entry by its `uuid`. */
    id: bigserial({ mode: 'number' }).primaryKey(),
    uuid: uuid().notNull().unique().defaultRandom(),
    /** Not a reference: the log outlives the people in it. */
    actorId: uuid(),
    actorName: text().notNull(),
    /** The call, for example `admin.createChallenge`. */
    action: text().notNull(),
    targetType: text(),
    targetId: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    result: text().notNull().default('done'),
    address: text(),
    requestId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index('audit_log_actor').on(t.actorId, t.id), index('audit_log_target').on(t.targetId, t.id)],
)

export const outboxStatus = pgEnum('outbox_status', ['pending', 'sent', 'dead'])

/** Mails to send, written in the transaction they belong to. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey().defaultRandom(),
    template: text().notNull(),
    recipient: text().notNull(),
    language: language().notNull(),
    /** The template's values, sealed with APP_SECRET: they may hold a live code. */
    payload: text().notNull(),
    status: outboxStatus().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    availableAt: instant().notNull().defaultNow(),
    /** A worker that has not finished by then has crashed; another takes the mail. */
    leaseUntil: instant(),
    /** Pointless after this: the code in it has expired. */
    expiresAt: instant(),
    lastError: text(),
    createdAt: instant().notNull().defaultNow(),
    sentAt: instant(),
  },
  (t) => [
    index('outbox_due').on(t.availableAt).where(sql`${t.status} = 'pending'`),
    index('outbox_done').on(t.createdAt).where(sql`${t.status} <> 'pending'`),
    index('outbox_dead').on(t.createdAt.desc(), t.id).where(sql`${t.status} = 'dead'`),
  ],
)
