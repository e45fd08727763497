import { EXPERIENCES, LANGUAGES, ROLES_OF_USERS } from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

export const userRole = pgEnum('user_role', ROLES_OF_USERS)
export const language = pgEnum('language', LANGUAGES)
export const experience = pgEnum('experience', EXPERIENCES)

/** A timestamp with time zone. Deadlines are compared with the database's clock. */
export const timestamptz = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () => timestamptz().notNull().defaultNow()

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
    bannedAt: timestamptz(),
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
    // Created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('users_word_starts').using('gin', sql`word_starts(${t.searchText})`),
    // For filters that match few accounts; also created by `migrate`.
    index('users_admins').on(t.id).where(sql`${t.role} = 'admin'`),
    index('users_banned').on(t.id).where(sql`${t.isBanned}`),
    check('users_email_folded', sql`${t.email} = lower(${t.email})`),
    check('users_warning_count', sql`${t.warningCount} >= 0`),
    check('users_ban_reason', sql`not ${t.isBanned} or (${t.banReason} is not null and ${t.bannedAt} is not null)`),
    check('users_admin_not_banned', sql`not (${t.isBanned} and ${t.role} = 'admin')`),
  ],
)
