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

/** Marks a delivery as failed if it is still pending. */
export async function failPendingDelivery(tx: Tx, id: string, error: string): Promise<void> {
  const isPending = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, 'pending'))
  await tx.update(webhookDeliveries).set({ status: 'failed', error }).where(isPending)
}

/**
 * Counts an attempt. Returns false if a newer attempt has the job, after a redelivery was requested or the lease expired: then only the newer
 * one decides on the delivery and the webhook. Locks the webhook first, as a redelivery and the webhook's deletion do.
 */
export async function countAttempt(tx: Tx, webhookId: string, job: Job): Promise<boolean> {
  await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update')
  await updateDelivery(tx, job, { attempts: sql`${webhookDeliveries.attempts} + 1` })
  const claimed = await tx.select({ id: jobs.id }).from(jobs).where(claimCondition(job))
  return claimed.length > 0
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
