import { type Reader, prepared, type Tx } from '@community/db'
import { outbox } from '@community/db/schema'
import { and, count, eq, sql } from 'drizzle-orm'
import { counted, listOrder, pagedStatement, type Paging } from '../pagination/keyset.ts'

// Written out: a plan made for any status would not use the index of the dead ones.
const isDead = sql`${outbox.status} = 'dead'`

const newest = listOrder('admin.mails', [
  { on: outbox.createdAt, type: 'timestamptz', direction: 'desc' },
  { on: outbox.id, type: 'uuid' },
])
const deadMails = pagedStatement('dead_mails', newest, (q, { after, limit, offset }) =>
  q
    .select({
      id: outbox.id,
      template: outbox.template,
      recipient: outbox.recipient,
      language: outbox.language,
      attempts: outbox.attempts,
      lastError: outbox.lastError,
      createdAt: outbox.createdAt,
      key: newest.key,
    })
    .from(outbox)
    .where(and(isDead, after))
    .orderBy(...newest.orderBy)
    .limit(limit)
    .offset(offset),
)
const deadCount = prepared('dead_mail_count', (q) => q.select({ total: count() }).from(outbox).where(isDead))

/** A page of the mails that were given up, and how many there are. */
export const findDeadMails = (reader: Reader, paging: Paging) => counted(deadMails(reader, paging), deadCount(reader))

/** Locks a mail that was given up; undefined when there is none such. */
export async function lockDeadMail(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      template: outbox.template,
      lastError: outbox.lastError,
      // A mail whose content was forgotten was given up because it had expired.
      isExpired: sql<boolean>`coalesce(${outbox.expiresAt} <= now(), false) or ${outbox.payload} = ''`,
    })
    .from(outbox)
    .where(and(eq(outbox.id, id), isDead))
    .for('update')
  return row
}

/** Has a mail sent again as if it had just been written, under the same id. */
export const putBack = (tx: Tx, id: string): Promise<unknown> =>
  tx
    .update(outbox)
    .set({ status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null })
    .where(eq(outbox.id, id))
