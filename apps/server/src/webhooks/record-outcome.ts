import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { jobs, teams, users, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { inSeconds, isClaimedBy, type Job } from '../jobs/queue.ts'
import { queueMail } from '../jobs/mail.ts'
import type { WebhookRow } from './queries.ts'

export interface Outcome {
  /** The HTTP status; null without a response. */
  status: number | null
  /** Why the attempt failed; null if it was delivered. */
  error: string | null
}

/**
 * Whether the job is still this attempt's, and not another's because it was asked to be sent again or its lease expired. Then only that one
 * may write the delivery's status. Locks the webhook first, like that request and like the webhook's deletion.
 */
async function lockClaim(tx: Tx, webhookId: string, job: Job): Promise<boolean> {
  await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update')
  const claimed = await tx.select({ id: jobs.id }).from(jobs).where(isClaimedBy(job))
  return claimed.length > 0
}

/** Records a delivered message. */
export async function recordSuccess(tx: Tx, webhookId: string, job: Job, { status }: Outcome): Promise<void> {
  const isClaimed = await lockClaim(tx, webhookId, job)
  await tx
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, webhookId), sql`${webhooks.failingSince} is not null`))
  await tx
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      ...(isClaimed && { status: 'delivered', responseStatus: status, error: null, deliveredAt: sql`now()` }),
    })
    .where(eq(webhookDeliveries.id, job.id))
}

/** Records a failed attempt, the last if `isLast`. Disables the webhook after three days of failures, or if its URL is gone. */
export async function recordFailure(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  webhookId: string,
  job: Job,
  { status, error, isLast }: Outcome & { isLast: boolean },
): Promise<void> {
  const isClaimed = await lockClaim(tx, webhookId, job)
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      isActive: webhooks.isActive,
      isOverdue: sql<boolean>`${webhooks.failingSince} < ${inSeconds(-limits.WEBHOOK_FAILING_MAX)}`,
    })
  await tx
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      ...(isClaimed && { status: isLast ? 'failed' : 'pending', responseStatus: status, error }),
    })
    .where(eq(webhookDeliveries.id, job.id))
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
