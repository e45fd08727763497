import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, timestamptz, users } from './accounts.ts'

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
    expiresAt: timestamptz().notNull(),
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
    expiresAt: timestamptz().notNull(),
    revokedAt: timestamptz(),
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
    spentAt: timestamptz(),
    /** HMAC of the client that spent it; null when the previous version did. */
    spentBy: text(),
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
    expiresAt: timestamptz().notNull(),
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
    attempts: integer('tries').notNull().default(0),
    sentAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
    usedAt: timestamptz(),
    /** When the correct password began this sign-in; codes can be sent for ten minutes after it. */
    begunAt: timestamptz(),
    /** SHA-256 of the cookie of the browser that began an external sign-in. */
    bindingHash: text(),
    /** The external identity that the code confirms. */
    identity: jsonb().$type<{ issuer: string; subject: string; name: string }>(),
  },
  (t) => [
    primaryKey({ name: 'codes_pk', columns: [t.purpose, t.email] }),
    index('codes_user').on(t.userId),
    // Created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('codes_email').on(t.email),
    index('codes_expires').on(t.expiresAt),
    check('codes_tries', sql`${t.attempts} between 0 and 5`),
  ],
)
