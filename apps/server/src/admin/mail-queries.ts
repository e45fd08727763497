import type { Language } from '@community/contract'
import { type Reader, prepared, type Tx } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, count, eq, sql } from 'drizzle-orm'
import { counted, listOrder, pagedStatement, type Paging } from '../pagination/keyset.ts'

// Literals, because a generic plan with a status parameter would not use the partial index.
const isDead = sql`${jobs.status} = 'dead' and ${jobs.kind} = 'mail'`
/** Not null by the constraint `jobs_mail`. */
const mailColumns = {
  template: sql<string>`${jobs.template}`,
  recipient: sql<string>`${jobs.recipient}`,
  language: sql<Language>`${jobs.language}`,
}

const newest = listOrder('admin.mails', [
  { on: jobs.createdAt, type: 'timestamptz', direction: 'desc' },
  { on: jobs.id, type: 'uuid' },
])
const deadMails = pagedStatement('dead_mails', newest, (q, { after, limit, offset }) =>
  q
    .select({
      id: jobs.id,
      ...mailColumns,
      attempts: jobs.attempts,
      lastError: jobs.lastError,
      createdAt: jobs.createdAt,
      key: newest.key,
    })
    .from(jobs)
    .where(and(isDead, after))
    .orderBy(...newest.orderBy)
    .limit(limit)
    .offset(offset),
)
const deadCount = prepared('dead_mail_count', (q) => q.select({ total: count() }).from(jobs).where(isDead))

/** A page of dead mails and the total. */
export const findDeadMails = (reader: Reader, paging: Paging) => counted(deadMails(reader, paging), deadCount(reader))

/** Locks a dead mail; undefined if there is none with this id. */
export async function lockDeadMail(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      template: mailColumns.template,
      lastError: jobs.lastError,
      // The payload is emptied when a mail expires.
      isExpired: sql<boolean>`coalesce(${jobs.expiresAt} <= now(), false) or ${jobs.payload} = ''`,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), isDead))
    .for('update')
  return row
}

/** Queues a mail again under the same id, with its attempts reset. */
export const putBack = (tx: Tx, id: string): Promise<unknown> =>
  tx
    .update(jobs)
    .set({ status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null })
    .where(eq(jobs.id, id))
