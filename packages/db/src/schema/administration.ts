import { IMPORT_FAULTS, IMPORT_STATUSES, type Language, type PageName } from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
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
import { timestamptz, language, users } from './accounts.ts'

export const warnings = pgTable(
  'warnings',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamptz().notNull().defaultNow(),
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
    /** The address without plus parts and Gmail's dots, for comparison. */
    emailKey: text().notNull(),
    reason: text().notNull(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamptz().notNull().defaultNow(),
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
    /** The administrators' texts of public pages, by page and language; a default is shown for a missing one. */
    pages: jsonb().$type<Partial<Record<PageName, Partial<Record<Language, string>>>>>().notNull().default({}),
    /** Identifies this installation's data, also in backups; marks its storage. */
    communityId: uuid().notNull().defaultRandom(),
    /** HMAC of `communityId` with the APP_SECRET that servers on this database must have; null until one sets it. */
    secretFingerprint: text(),
    updatedAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [check('settings_one_row', sql`${t.id} = 1`)],
)

/** The audit log of administrators' actions and attempts. A trigger rejects deletes, and updates but one more use. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** Insertion order; the API exposes `uuid` instead. */
    id: bigserial({ mode: 'number' }).primaryKey(),
    uuid: uuid().notNull().unique().defaultRandom(),
    /** Not a foreign key: entries outlive accounts. */
    actorId: uuid(),
    actorName: text().notNull(),
    /** The procedure, for example `admin.createChallenge`. */
    action: text().notNull(),
    targetType: text(),
    targetId: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    result: text().notNull().default('done'),
    address: text(),
    requestId: text(),
    /** The personal access token that was used; null for a session. A copy, because tokens are deleted. */
    tokenName: text(),
    /** Names the token, the procedure, the IP address and the hour whose reads this entry counts; null for an action. */
    useKey: text().unique('audit_log_use_key_unique'),
    uses: integer().notNull().default(1),
    lastUsedAt: timestamptz(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [index('audit_log_actor').on(t.actorId, t.id), index('audit_log_target').on(t.targetId, t.id)],
)

/** `sent` is unused: removing a value of an enum rewrites its tables. */
export const jobStatus = pgEnum('job_status', ['pending', 'sent', 'dead', 'done'])

/** Background jobs, written in the transaction of their cause. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text().notNull(),
    /** Unique, also among finished jobs; the kind of a recurring job. */
    key: text(),
    /** A mail's template. Not sealed, because administrators see it. */
    template: text(),
    /** The address of the mail. Jobs are deleted with the account. */
    recipient: text(),
    language: language(),
    /** The handler's input, sealed because it may contain a valid code. Empty once the job is done. */
    payload: text().notNull(),
    status: jobStatus().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    availableAt: timestamptz().notNull().defaultNow(),
    /** A worker that has not finished by then has crashed; another takes the job. */
    leaseUntil: timestamptz(),
    /** The job does not run after this time, because its code has expired. */
    expiresAt: timestamptz(),
    lastError: text(),
    createdAt: timestamptz().notNull().defaultNow(),
    doneAt: timestamptz(),
  },
  (t) => [
    check('jobs_mail', sql`${t.kind} <> 'mail' or num_nulls(${t.template}, ${t.recipient}, ${t.language}) = 0`),
    uniqueIndex('jobs_key').on(t.key).where(sql`${t.key} is not null`),
    // These two are created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('jobs_recipient').on(t.recipient).where(sql`${t.recipient} is not null`),
    index('jobs_due_of_kind').on(t.kind, t.availableAt).where(sql`${t.status} = 'pending'`),
    index('jobs_done').on(t.createdAt).where(sql`${t.status} <> 'pending'`),
    index('jobs_dead').on(t.createdAt.desc(), t.id).where(sql`${t.status} = 'dead'`),
  ],
)

export const importStatus = pgEnum('import_status', IMPORT_STATUSES)
export const importFault = pgEnum('import_fault', IMPORT_FAULTS)

/** The archive import started in the admin area: at most one row. The uploaded parts are objects in the storage. */
export const archiveImports = pgTable(
  'archive_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    fileName: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    /** Number of stored parts. */
    parts: integer().notNull().default(0),
    status: importStatus().notNull().default('receiving'),
    /** Number of imported rows and files. */
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    fault: importFault(),
    faultDetails: text(),
    createdAt: timestamptz().notNull().defaultNow(),
    updatedAt: timestamptz().notNull().defaultNow(),
  },
  () => [uniqueIndex('archive_imports_one').on(sql`(true)`)],
)
