import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { queueMail } from '../jobs/mail.ts'
import { countAttempt, deactivateWebhook, markDelivered, markFailing, updateDelivery } from './delivery-commands.ts'
import { findFailureRecipient } from './queries.ts'

export interface Outcome {
  /** The HTTP status; null without a response. */
  status: number | null
  /** Why the attempt failed; null if it was delivered. */
  error: string | null
}

/** Records a delivered message. */
export async function recordSuccess(tx: Tx, webhookId: string, job: Job, { status }: Outcome): Promise<void> {
  if (await countAttempt(tx, webhookId, job)) await markDelivered(tx, webhookId, job, status)
}

/**
 * Records a failed attempt, the last if `isLast`. Pauses the webhook when an event is given up after three days without an accepted
 * message, or if its URL is gone. `isEvent` is false for pings, and for messages that were not sent because the webhook is paused or its
 * secret cannot be read: these do not count, except for a URL that is gone.
 */
export async function recordFailure(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  webhookId: string,
  job: Job,
  { status, error, isLast, isEvent }: Outcome & { isLast: boolean; isEvent: boolean },
): Promise<void> {
  if (!(await countAttempt(tx, webhookId, job))) return
  await updateDelivery(tx, job, { status: isLast ? 'failed' : 'pending', responseStatus: status, error })
  if (!isEvent && status !== 410) return
  const webhook = await markFailing(tx, webhookId)
  // An attempt that is not the last may fail once in a healthy receiver whose previous event was long ago.
  if (webhook?.isActive && ((isLast && webhook.isOverdue) || status === 410)) await pause(tx, deps, webhookId)
}

/** Pauses a webhook and emails its team’s chef, or its creator if it has no team. */
async function pause(tx: Tx, deps: Pick<Deps, 'secret'>, webhookId: string): Promise<void> {
  const webhook = await deactivateWebhook(tx, webhookId)
  const person = webhook && (await findFailureRecipient(tx, webhook))
  if (person)
    await queueMail(tx, deps, {
      template: 'webhook-disabled',
      to: person.email,
      language: person.language,
      values: { host: new URL(webhook.url).host },
    })
}
