import { appErrors, type contract, limits, type Output, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { jobs, webhookDeliveries } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { AuthenticatedContext, PasswordContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { consumeRateLimit } from '../http/rate-limits.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { WEBHOOK_JOB } from './emit.ts'
import { lockWebhook } from './lock-webhook.ts'
import type { DeliveryRow } from './queries.ts'
import { toDelivery } from './views.ts'

type Routes = typeof contract.webhooks
type Result = Output<Routes['redeliver']>

/** Inserts the delivery’s job, which has the same id, or makes it pending again with zero attempts. */
const queueDelivery = (tx: Tx, id: string) =>
  tx
    .insert(jobs)
    .values({ id, kind: WEBHOOK_JOB, payload: '' })
    .onConflictDoUpdate({
      target: jobs.id,
      set: { status: 'pending', attempts: 0, availableAt: sql`now()`, leaseUntil: null, lastError: null, doneAt: null },
    })
    .returning({ nextAttemptAt: jobs.availableAt })

async function authorizeAndQueue(
  ctx: AuthenticatedContext & PasswordContext,
  { id, password }: { id: string; password?: string | undefined },
  prepareDelivery: (tx: Tx) => Promise<DeliveryRow | undefined>,
): Promise<Result> {
  await confirmIfAdmin(ctx, password)
  const delivery = await inTransaction(ctx.db, async (tx) => {
    await lockWebhook(tx, ctx, id)
    await consumeRateLimit(tx, `webhook-sends:${id}`, { max: limits.WEBHOOK_SENDS_PER_HOUR, seconds: limits.HOUR })
    const row = await prepareDelivery(tx)
    if (!row) throw new AppError(appErrors.deliveryMissing)
    const [job] = await queueDelivery(tx, row.id)
    return { ...row, nextAttemptAt: job?.nextAttemptAt ?? null }
  })
  wakeWorkers(ctx.db)
  return { delivery: toDelivery(delivery) }
}

/** Queues a delivery again, whatever its status. */
export const redeliver = (
  ctx: AuthenticatedContext & PasswordContext,
  input: ParsedInput<Routes['redeliver']>,
): Promise<Result> =>
  authorizeAndQueue(ctx, input, async (tx) => {
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', error: null, responseStatus: null, deliveredAt: null })
      .where(and(eq(webhookDeliveries.id, input.deliveryId), eq(webhookDeliveries.webhookId, input.id)))
      .returning()
    return row
  })

/** Queues the event `ping`; an inactive webhook gets it too. */
export const ping = (
  ctx: AuthenticatedContext & PasswordContext,
  input: ParsedInput<Routes['ping']>,
): Promise<Result> =>
  authorizeAndQueue(ctx, input, async (tx) => {
    const body = JSON.stringify({ type: 'ping', timestamp: new Date().toISOString(), data: {} })
    const [row] = await tx.insert(webhookDeliveries).values({ webhookId: input.id, event: 'ping', body }).returning()
    return row
  })
