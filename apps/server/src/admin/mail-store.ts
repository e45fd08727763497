import { type Reader, statement, type Tx } from '@community/db'
import { outbox } from '@community/db/schema'
import { and, count, desc, eq, sql } from 'drizzle-orm'

// Written out: a plan made for any status would not use the index of the dead ones.
const isDead = sql`${outbox.status} = 'dead'`

const deadMails = statement('dead_mails', (q) =>
  q
    .select({
      id: outbox.id,
      template: outbox.template,
      recipient: outbox.recipient,
      language: outbox.language,
      attempts: outbox.attempts,
      lastError: outbox.lastError,
      createdAt: outbox.createdAt,
    })
    .from(outbox)
    .where(isDead)
    .orderBy(desc(outbox.createdAt), outbox.id)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
)
const deadCount = statement('dead_mail_count', (q) => q.select({ total: count() }).from(outbox).where(isDead))

/** A page of the mails that were given up, and how many there are. */
export async function findDeadMails(reader: Reader, { page, limit }: { page: number; limit: number }) {
  const [rows, [counted]] = await Promise.all([
    deadMails(reader, { limit, offset: (page - 1) * limit }),
    deadCount(reader),
  ])
  return { rows, total: counted?.total ?? 0 }
}

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
