import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { jobs, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { claimCondition, inSeconds, type Job } from '../jobs/queue.ts'
import { WEBHOOK_JOB } from './job-kinds.ts'
import type { DeliveryRow, WebhookRow } from './queries.ts'

/** Inserts the delivery’s job, which has the same id, or makes it pending again with zero attempts. Returns when it is due. */
export async function queueDelivery(tx: Tx, id: string): Promise<Date | null> {
  const [job] = await tx
    .insert(jobs)
    .values({ id, kind: WEBHOOK_JOB, payload: '' })
    .onConflictDoUpdate({
      target: jobs.id,
      set: { status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null, lastError: null, doneAt: null },
    })
    .returning({ nextAttemptAt: jobs.availableAt })
  return job?.nextAttemptAt ?? null
}

/** Makes a webhook’s delivery pending, whatever its status; undefined if there is none. */
export async function resetDelivery(tx: Tx, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ status: 'pending', error: null, responseStatus: null, deliveredAt: null })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)))
    .returning()
  return row
}

export async function insertPing(tx: Tx, webhookId: string, body: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.insert(webhookDeliveries).values({ webhookId, event: 'ping', body }).returning()
  return row
}

export async function updateDelivery(
  tx: Tx,
  { id }: Pick<DeliveryRow, 'id'>,
  changes: PgUpdateSetSource<typeof webhookDeliveries>,
): Promise<void> {
  await tx.update(webhookDeliveries).set(changes).where(eq(webhookDeliveries.id, id))
}

/**
 * Locks the webhook, then returns whether this attempt still has the job: a newer attempt has it if a redelivery was requested or the lease
 * expired. Redeliveries and the deletion of the webhook lock in the same order, so that there is no deadlock.
 */
async function lockWhileClaimed(tx: Tx, webhookId: string, job: Job): Promise<boolean> {
  await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update')
  const claimed = await tx.select({ id: jobs.id }).from(jobs).where(claimCondition(job))
  return claimed.length > 0
}

/** Counts an attempt. Returns false if a newer one has the job: then only that decides on the delivery and the webhook. */
export async function countAttempt(tx: Tx, webhookId: string, job: Job): Promise<boolean> {
  const isClaimed = await lockWhileClaimed(tx, webhookId, job)
  await updateDelivery(tx, job, { attempts: sql`${webhookDeliveries.attempts} + 1` })
  return isClaimed
}

/** Marks the delivery of a job that is given up as failed, unless an attempt recorded its end or a newer one has the job. */
export async function failPendingDelivery(tx: Tx, job: Job, error: string): Promise<void> {
  const pending = and(eq(webhookDeliveries.id, job.id), eq(webhookDeliveries.status, 'pending'))
  const [delivery] = await tx.select({ webhookId: webhookDeliveries.webhookId }).from(webhookDeliveries).where(pending)
  if (!delivery || !(await lockWhileClaimed(tx, delivery.webhookId, job))) return
  await updateDelivery(tx, job, { status: 'failed', error })
}

export async function markDelivered(tx: Tx, webhookId: string, job: Job, status: number | null): Promise<void> {
  await tx
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, webhookId), sql`${webhooks.failingSince} is not null`))
  await updateDelivery(tx, job, { status: 'delivered', responseStatus: status, error: null, deliveredAt: sql`now()` })
}

/** Records when a webhook began to fail. `isOverdue` if that is longer ago than `WEBHOOK_FAILING_MAX`. */
export async function markFailing(tx: Tx, webhookId: string) {
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      isActive: webhooks.isActive,
      isOverdue: sql<boolean>`${webhooks.failingSince} < ${inSeconds(-limits.WEBHOOK_FAILING_MAX)}`,
    })
  return webhook
}

export async function deactivateWebhook(tx: Tx, webhookId: string): Promise<WebhookRow | undefined> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ isActive: false, updatedAt: sql`now()` })
    .where(eq(webhooks.id, webhookId))
    .returning()
  return webhook
}
