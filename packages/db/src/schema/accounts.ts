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

/** A timestamp with time zone. Deadlines are compared with the database's clock. */
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

/** Links an account to its subject at an external provider. */
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

/** Pending external sign-ins: each row allows one callback, which deletes it. */
export const pendingExternalSignIns = pgTable(
  'pending_external_sign_ins',
  {
    /** SHA-256 of the OAuth state, in hex. The nonce is sealed in the same cookie, so it is used once too. */
    stateHash: text().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (t) => [index('pending_external_sign_ins_expires').on(t.expiresAt)],
)

/** A sign-in on one device, with its chain of rotated refresh tokens; its sessions end with it. */
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

/** Browsers and systems an account has signed in from; the owner gets a mail about a new one. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A name from our list of browsers, never the user agent itself; empty if unknown. */
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

/** Access tokens: Lucia sessions, stored as hashes. */
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

/** One-time codes, at most one per email address and purpose; a new code replaces the old one. */
export const codes = pgTable(
  'codes',
  {
    purpose: codePurpose().notNull(),
    email: text().notNull(),
    /** Null for an address without an account: a registration, or a decoy against account enumeration. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 over purpose, e-mail and code, keyed by APP_SECRET. */
    hash: text().notNull(),
    tries: integer().notNull().default(0),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** When the correct password began this sign-in; codes can be sent for ten minutes after it. */
    begunAt: instant(),
    /** SHA-256 of the cookie of the browser that began an external sign-in. */
    bindingHash: text(),
    /** The external identity that the code confirms. */
    identity: jsonb().$type<{ issuer: string; subject: string; name: string }>(),
  },
  (t) => [
    primaryKey({ name: 'codes_pk', columns: [t.purpose, t.email] }),
    index('codes_user').on(t.userId),
    index('codes_expires').on(t.expiresAt),
    check('codes_tries', sql`${t.tries} between 0 and 5`),
  ],
)

/** Rate limit counters, shared by all processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: instant().notNull(),
    /** In-flight attempts. After `underWayUntil` they no longer count, because their process has crashed. */
    underWay: integer().notNull().default(0),
    underWayUntil: instant(),
  },
  (t) => [index('rate_limits_resets').on(t.resetsAt)],
)

/** Responses stored for a repeated Idempotency-Key. Triggers update `idempotencyOwners`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** A user's id, or the IP address of a visitor. */
    owner: text().notNull(),
    key: text().notNull(),
    call: text().notNull(),
    bodyHash: text().notNull(),
    status: integer(),
    /** The response, sealed because it may contain tokens. */
    answer: text(),
    createdAt: createdAt(),
    /** A run that has not finished by then has crashed; the key can be used again. */
    leaseUntil: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pk', columns: [t.owner, t.key] }),
    index('idempotency_keys_expires').on(t.expiresAt),
  ],
)

/** The number of Idempotency-Keys per user. A trigger rejects more than `limits.IDEMPOTENCY_KEYS_MAX`. */
export const idempotencyOwners = pgTable('idempotency_owners', {
  owner: text().primaryKey(),
  live: integer().notNull(),
})
