import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { jobs, teams, users, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Deps } from '../context.ts'
import { inSeconds, claimCondition, type Job } from '../jobs/queue.ts'
import { queueMail } from '../jobs/mail.ts'
import type { WebhookRow } from './queries.ts'

export interface Outcome {
  /** The HTTP status; null without a response. */
  status: number | null
  /** Why the attempt failed; null if it was delivered. */
  error: string | null
}

/**
 * Counts an attempt. False if the job is no longer this attempt's, because it was asked to be sent again or its lease expired: then only the
 * newer attempt decides on the delivery and the webhook. Locks the webhook first, like that request and like the webhook's deletion.
 */
async function countAttempt(tx: Tx, webhookId: string, job: Job): Promise<boolean> {
  await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update')
  await updateDelivery(tx, job, { attempts: sql`${webhookDeliveries.attempts} + 1` })
  const claimed = await tx.select({ id: jobs.id }).from(jobs).where(claimCondition(job))
  return claimed.length > 0
}

const updateDelivery = (tx: Tx, { id }: Job, changes: PgUpdateSetSource<typeof webhookDeliveries>) =>
  tx.update(webhookDeliveries).set(changes).where(eq(webhookDeliveries.id, id))

/** Records a delivered message. */
export async function recordSuccess(tx: Tx, webhookId: string, job: Job, { status }: Outcome): Promise<void> {
  if (!(await countAttempt(tx, webhookId, job))) return
  await tx
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, webhookId), sql`${webhooks.failingSince} is not null`))
  await updateDelivery(tx, job, { status: 'delivered', responseStatus: status, error: null, deliveredAt: sql`now()` })
}

/** Records a failed attempt, the last if `isLast`. Disables the webhook after three days of failures, or if its URL is gone. */
export async function recordFailure(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  webhookId: string,
  job: Job,
  { status, error, isLast }: Outcome & { isLast: boolean },
): Promise<void> {
  if (!(await countAttempt(tx, webhookId, job))) return
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      isActive: webhooks.isActive,
      isOverdue: sql<boolean>`${webhooks.failingSince} < ${inSeconds(-limits.WEBHOOK_FAILING_MAX)}`,
    })
  await updateDelivery(tx, job, { status: isLast ? 'failed' : 'pending', responseStatus: status, error })
  if (webhook?.isActive && (webhook.isOverdue || status === 410)) await disable(tx, deps, webhookId)
}

/** Disables a webhook and tells its team’s chef, or else who created it. */
async function disable(tx: Tx, deps: Pick<Deps, 'secret'>, webhookId: string): Promise<void> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ isActive: false, updatedAt: sql`now()` })
    .where(eq(webhooks.id, webhookId))
    .returning()
  const person = webhook && (await findResponsible(tx, webhook))
  if (person)
    await queueMail(tx, deps, {
      template: 'webhook-disabled',
      to: person.email,
      language: person.language,
      values: { host: new URL(webhook.url).host },
    })
}

async function findResponsible(tx: Tx, { teamId, createdBy }: WebhookRow) {
  const responsible = teamId
    ? sql`${users.id} = (select ${teams.ownerId} from ${teams} where ${teams.id} = ${teamId})`
    : sql`${users.id} = ${createdBy}`
  const [person] = await tx.select({ email: users.email, language: users.language }).from(users).where(responsible)
  return person
}
