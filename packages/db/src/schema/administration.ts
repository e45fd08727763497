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
  uniqueIndex,
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

/** `sent` is what the version before wrote for `done`. */
export const jobStatus = pgEnum('job_status', ['pending', 'sent', 'dead', 'done'])

/** Background jobs, written in the transaction of their cause. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The default is for the version before, which adds mails through the view `outbox`. */
    kind: text().notNull().default('mail'),
    /** One job at a time has it; the kind of a recurring job. */
    key: text(),
    /** A mail's. Readable, because administrators see them. */
    template: text(),
    /** The address the job concerns: it goes with the account. */
    recipient: text(),
    language: language(),
    /** The handler's input, sealed with APP_SECRET: it may hold a live code. Empty once the job is done. */
    payload: text().notNull(),
    status: jobStatus().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    availableAt: instant().notNull().defaultNow(),
    /** A worker that has not finished by then has crashed; another takes the job. */
    leaseUntil: instant(),
    /** Pointless after this: the code in it has expired. */
    expiresAt: instant(),
    lastError: text(),
    createdAt: instant().notNull().defaultNow(),
    doneAt: instant(),
  },
  (t) => [
    check('jobs_mail', sql`${t.kind} <> 'mail' or num_nulls(${t.template}, ${t.recipient}, ${t.language}) = 0`),
    uniqueIndex('jobs_key').on(t.key).where(sql`${t.key} is not null`),
    index('jobs_due').on(t.availableAt).where(sql`${t.status} = 'pending'`),
    index('jobs_done').on(t.createdAt).where(sql`${t.status} <> 'pending'`),
    index('jobs_dead').on(t.createdAt.desc(), t.id).where(sql`${t.status} = 'dead'`),
  ],
)
