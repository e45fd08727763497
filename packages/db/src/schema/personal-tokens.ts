import type { TokenScope } from '@community/contract'
import { sql } from 'drizzle-orm'
import { check, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, timestamptz, users } from './accounts.ts'

/** Personal access tokens for scripts. A revoked one is deleted. */
export const personalTokens = pgTable(
  'personal_tokens',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the token, in hex. */
    hash: text().notNull().unique('personal_tokens_hash_unique'),
    scopes: text().array().$type<TokenScope[]>().notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestamptz(),
    expiresAt: timestamptz(),
  },
  (t) => [
    uniqueIndex('personal_tokens_name_unique').on(t.userId, sql`lower(${t.name})`),
    check('personal_tokens_scopes', sql`cardinality(${t.scopes}) > 0 and ${t.scopes} <@ '{read,write,admin}'`),
    check('personal_tokens_admin_expires', sql`not ('admin' = any(${t.scopes})) or ${t.expiresAt} is not null`),
  ],
)
