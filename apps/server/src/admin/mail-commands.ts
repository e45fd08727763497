import type { Tx } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import { deadMailCondition, mailColumns } from './mail-queries.ts'

/** Locks a mail that was given up; undefined if there is none with this id. */
export async function lockDeadMail(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      kind: jobs.kind,
      key: jobs.key,
      template: mailColumns.template,
      lastError: jobs.lastError,
      // The payload is emptied when a mail expires. Those of notifications have none.
      isExpired: sql<boolean>`coalesce(${jobs.expiresAt} <= now(), false) or (${jobs.kind} = 'mail' and ${jobs.payload} = '')`,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), deadMailCondition))
    .for('update')
  return row
}

/** Queues a mail again under the same id, with its attempts reset. */
export const requeueMail = (tx: Tx, id: string): Promise<unknown> =>
  tx
    .update(jobs)
    .set({ status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null })
    .where(eq(jobs.id, id))
