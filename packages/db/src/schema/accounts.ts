import { EXPERIENCES, LANGUAGES, ROLES_OF_USERS } from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

export const userRole = pgEnum('user_role', ROLES_OF_USERS)
export const language = pgEnum('language', LANGUAGES)
export const experience = pgEnum('experience', EXPERIENCES)

/** An instant; the database's clock judges everything that has a deadline. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })
const createdAt = () => instant().notNull().defaultNow()

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** Lower-cased and trimmed. */
    email: text().notNull(),
    /** argon2id; null for an account that only signs in through the external provider. */
    passwordHash: text(),
    role: userRole().notNull().default('member'),
    avatarUrl: text(),
    phone: text(),
    github: text(),
    instagram: text(),
    portfolio: text(),
    bio: text(),
    experience: experience(),
    language: language().notNull().default('en'),
    signInOtp: boolean().notNull().default(false),
    warningCount: integer().notNull().default(0),
    isBanned: boolean().notNull().default(false),
    banReason: text(),
    bannedAt: instant(),
    searchText: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex('users_email_unique').on(sql`lower(${t.email})`),
    index('users_created').on(t.createdAt.desc(), t.id),
    index('users_by_name').on(sql`lower(${t.name})`, t.id),
    index('users_by_warnings').on(t.warningCount, t.id),
    index('users_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    // Built by `migrate`, while the table is written to.
    index('users_word_starts').using('gin', sql`word_starts(${t.searchText})`),
    check('users_email_folded', sql`${t.email} = lower(${t.email})`),
    check('users_warning_count', sql`${t.warningCount} >= 0`),
    check('users_ban_reason', sql`not ${t.isBanned} or (${t.banReason} is not null and ${t.bannedAt} is not null)`),
    check('users_admin_not_banned', sql`not (${t.isBanned} and ${t.role} = 'admin')`),
  ],
)

/** Who an external provider says somebody is. */
export const identities = pgTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: 'identities_pk', columns: [t.issuer, t.subject] }), index('identities_user').on(t.userId)],
)

/** External sign-ins under way: each row lets one callback through and is deleted by it. */
export const pendingExternalSignIns = pgTable(
  'pending_external_sign_ins',
  {
    /** SHA-256 of the OAuth state, in hex. The nonce is sealed in the same cookie, so it is spent with the state. */
    stateHash: text().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (t) => [index('pending_external_sign_ins_expires').on(t.expiresAt)],
)

/** A sign-in on one device: its refresh tokens follow one another, its sessions end with it. */
export const refreshFamilies = pgTable(
  'refresh_families',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text().notNull().default(''),
    address: text().notNull().default(''),
    createdAt: createdAt(),
    lastUsedAt: createdAt(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    revokedReason: text(),
  },
  (t) => [index('refresh_families_user').on(t.userId), index('refresh_families_expires').on(t.expiresAt)],
)

/** Kinds of device an account has signed in from: another one is told to its owner by mail. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A name of our list of browsers, never the user agent itself; empty when it is none of them. */
    browser: text().notNull(),
    system: text().notNull(),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'known_devices_pk', columns: [t.userId, t.browser, t.system] }),
    index('known_devices_seen').on(t.lastSeenAt),
  ],
)

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    /** SHA-256 of the token, in hex. */
    hash: text().primaryKey(),
    familyId: uuid()
      .notNull()
      .references(() => refreshFamilies.id, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    createdAt: createdAt(),
    spentAt: instant(),
  },
  (t) => [
    unique('refresh_tokens_generation').on(t.familyId, t.generation),
    uniqueIndex('refresh_tokens_one_live').on(t.familyId).where(sql`${t.spentAt} is null`),
  ],
)

/** Access tokens: Lucia sessions, kept as hashes. */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, in hex. */
    id: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    familyId: uuid()
      .notNull()
      .references(() => refreshFamilies.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index('sessions_user').on(t.userId),
    index('sessions_family').on(t.familyId),
    index('sessions_expires').on(t.expiresAt),
  ],
)

export const codePurpose = pgEnum('code_purpose', ['registration', 'sign-in', 'reset', 'external'])

/** The one code an e-mail address may have for a purpose; a new one takes the place of the old. */
export const codes = pgTable(
  'codes',
  {
    purpose: codePurpose().notNull(),
    email: text().notNull(),
    /** Null for an address without an account: a registration, or a decoy that behaves like the real thing. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 over purpose, e-mail and code, keyed by APP_SECRET. */
    hash: text().notNull(),
    tries: integer().notNull().default(0),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** When the right password began this sign-in; codes are mailed for ten minutes after it. */
    begunAt: instant(),
    /** SHA-256 of the cookie of the browser that began an external sign-in. */
    bindingHash: text(),
    /** The external identity that waits for its code: issuer, subject, name. */
    identity: jsonb().$type<{ issuer: string; subject: string; name: string }>(),
  },
  (t) => [
    primaryKey({ name: 'codes_pk', columns: [t.purpose, t.email] }),
    index('codes_user').on(t.userId),
    index('codes_expires').on(t.expiresAt),
    check('codes_tries', sql`${t.tries} between 0 and 5`),
  ],
)

/** Counters of attempts; they hold over several processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: instant().notNull(),
    /** Attempts whose outcome is not known yet; past `underWayUntil` none is: their process has crashed. */
    underWay: integer().notNull().default(0),
    underWayUntil: instant(),
  },
  (t) => [index('rate_limits_resets').on(t.resetsAt)],
)

/** Answers kept for a repeated Idempotency-Key. Triggers keep `idempotencyOwners` in step. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Whose key it is: a user's id, or an address for visitors. */
    owner: text().notNull(),
    key: text().notNull(),
    call: text().notNull(),
    bodyHash: text().notNull(),
    status: integer(),
    /** The answer, sealed: it may hold tokens. */
    answer: text(),
    createdAt: createdAt(),
    /** A run that has not finished by then has crashed; the key is free again. */
    leaseUntil: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pk', columns: [t.owner, t.key] }),
    index('idempotency_keys_expires').on(t.expiresAt),
  ],
)

/** How many Idempotency-Keys a signed-in person has stored. A trigger refuses more than `limits.IDEMPOTENCY_KEYS_MAX`. */
export const idempotencyOwners = pgTable('idempotency_owners', {
  owner: text().primaryKey(),
  live: integer().notNull(),
})
