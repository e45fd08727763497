import type { Language } from '@community/contract'
import { type Reader, prepared, type Tx } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, count, eq, sql } from 'drizzle-orm'
import { counted, listOrder, pagedStatement, type Paging } from '../pagination/keyset.ts'

// Written out: a plan made for any status would not use the index of the dead ones.
const isDead = sql`${jobs.status} = 'dead' and ${jobs.kind} = 'mail'`
/** The constraint `jobs_mail` has them not null. */
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

/** A page of the mails that were given up, and how many there are. */
export const findDeadMails = (reader: Reader, paging: Paging) => counted(deadMails(reader, paging), deadCount(reader))

/** Locks a mail that was given up; undefined when there is none such. */
export async function lockDeadMail(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      template: mailColumns.template,
      lastError: jobs.lastError,
      // A mail whose content was forgotten was given up because it had expired.
      isExpired: sql<boolean>`coalesce(${jobs.expiresAt} <= now(), false) or ${jobs.payload} = ''`,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), isDead))
    .for('update')
  return row
}

/** Has a mail sent again as if it had just been written, under the same id. */
export const putBack = (tx: Tx, id: string): Promise<unknown> =>
  tx
    .update(jobs)
    .set({ status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null })
    .where(eq(jobs.id, id))
