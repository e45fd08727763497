import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import {
  codes,
  idempotencyKeys,
  jobs,
  knownDevices,
  notifications,
  pendingExternalSignIns,
  personalTokens,
  rateLimits,
  refreshFamilies,
  refreshTokens,
  sessions,
  webhookDeliveries,
} from '@community/db/schema'
import { and, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Deps } from '../context.ts'
import { RETENTION_DAYS } from './retention.ts'

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`
const EXPIRED: [PgTable, SQL | undefined][] = [
  [sessions, lte(sessions.expiresAt, daysAgo(RETENTION_DAYS.sessions))],
  // Before their families, whose deletion would cascade to a month of tokens in one statement.
  [refreshTokens, sql`${refreshTokens.familyId} in (select id from ${refreshFamilies} where expires_at <= now())`],
  [refreshFamilies, lte(refreshFamilies.expiresAt, sql`now()`)],
  [knownDevices, lte(knownDevices.lastSeenAt, daysAgo(RETENTION_DAYS.knownDevices))],
  // Their owner sees them as expired for a month.
  [personalTokens, lte(personalTokens.expiresAt, daysAgo(RETENTION_DAYS.personalTokens))],
  [codes, lte(codes.expiresAt, daysAgo(RETENTION_DAYS.codes))],
  [pendingExternalSignIns, lte(pendingExternalSignIns.expiresAt, sql`now()`)],
  [rateLimits, lte(rateLimits.resetsAt, sql`now()`)],
  [idempotencyKeys, lte(idempotencyKeys.expiresAt, sql`now()`)],
  [
    webhookDeliveries,
    lte(webhookDeliveries.createdAt, sql`now() - make_interval(secs => ${limits.WEBHOOK_DELIVERY_TTL})`),
  ],
  [notifications, lte(notifications.createdAt, sql`now() - make_interval(secs => ${limits.NOTIFICATION_TTL})`)],
  [jobs, and(ne(jobs.status, 'pending'), lte(jobs.createdAt, daysAgo(RETENTION_DAYS.jobs)))],
]

/** Rows per statement: far below the statement timeout. */
const BATCH = 1000

interface Cleaning extends Pick<Deps, 'db'> {
  /** Ends the cleaning between two batches. */
  stopping?: AbortSignal
}

async function deleteFrom({ db, stopping }: Cleaning, table: PgTable, condition: SQL | undefined): Promise<void> {
  // Repeats the condition outside the subquery, because a row may be renewed in between.
  const some = sql`${condition} and ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH}))`
  let deleted: number
  do {
    stopping?.throwIfAborted()
    deleted = (await inTransaction(db, (tx) => tx.delete(table).where(some))).count
  } while (deleted === BATCH)
}

/**
 * Deletes expired rows in batches, one table at a time, so that other transactions wait only briefly for locks. Tries all tables; throws
 * an `AggregateError` if some of them failed.
 */
export async function deleteExpired(cleaning: Cleaning): Promise<void> {
  const errors: unknown[] = []
  for (const [table, condition] of EXPIRED)
    await deleteFrom(cleaning, table, condition).catch((error: unknown) => errors.push(error))
  if (errors.length > 0)
    throw new AggregateError(errors, `the expired rows of ${errors.length} tables were not deleted`)
}
