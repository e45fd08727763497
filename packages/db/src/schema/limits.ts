import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, timestamptz } from './accounts.ts'

/** Rate limit counters, shared by all processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: timestamptz().notNull(),
    /** In-flight attempts. After `underWayUntil` they no longer count, because their process has crashed. */
    underWay: integer().notNull().default(0),
    underWayUntil: timestamptz(),
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
    /** Null while the request runs, 0 once its effect is committed, then the status of the stored response. */
    status: integer(),
    /** The response, sealed because it may contain tokens. */
    answer: text(),
    createdAt: createdAt(),
    /** A run that has not finished by then has crashed; the key can be used again. */
    leaseUntil: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
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
