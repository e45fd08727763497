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

/** Deletes expired rows in batches, one table at a time, so that other transactions wait only briefly for locks. */
export async function deleteExpired({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const [table, condition] of EXPIRED) {
    // Repeats the condition outside the subquery, because a row may be renewed in between.
    const some = sql`${condition} and ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH}))`
    let deleted: number
    do deleted = (await inTransaction(db, (tx) => tx.delete(table).where(some))).count
    while (deleted === BATCH)
  }
}
