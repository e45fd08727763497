import { appErrors, type contract, limits, type Output } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { AuthenticatedContext, PasswordContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { consumeRateLimit } from '../http/rate-limits.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { insertPing, queueDelivery, resetDelivery } from './delivery-commands.ts'
import { lockWebhook } from './lock-webhook.ts'
import type { DeliveryRow } from './queries.ts'
import { toDelivery } from './views.ts'

type Routes = typeof contract.webhooks
type Result = Output<Routes['redeliver']>

async function authorizeAndQueue(
  ctx: AuthenticatedContext & PasswordContext,
  { id, password }: { id: string; password?: string | undefined },
  prepareDelivery: (tx: Tx) => Promise<DeliveryRow | undefined>,
): Promise<Result> {
  await confirmIfAdmin(ctx, password)
  const delivery = await inTransaction(ctx.db, async (tx) => {
    const { teamId } = await lockWebhook(tx, ctx, id)
    // Per owner: a new webhook must not bring new sends.
    await consumeRateLimit(tx, `webhook-sends:${teamId ?? 'community'}`, {
      max: limits.WEBHOOK_SENDS_PER_HOUR,
      seconds: limits.HOUR,
    })
    const row = await prepareDelivery(tx)
    if (!row) throw new AppError(appErrors.deliveryMissing)
    return { ...row, nextAttemptAt: await queueDelivery(tx, row.id) }
  })
  wakeWorkers()
  return { delivery: toDelivery(delivery) }
}

/** Queues a delivery again, whatever its status. */
export const redeliver: UseCase<typeof contract.webhooks.redeliver> = (ctx, input) =>
  authorizeAndQueue(ctx, input, (tx) => resetDelivery(tx, input.id, input.deliveryId))

/** Queues the event `ping`; an inactive webhook gets it too. */
export const ping: UseCase<typeof contract.webhooks.ping> = (ctx, input) =>
  authorizeAndQueue(ctx, input, (tx) =>
    insertPing(tx, input.id, JSON.stringify({ type: 'ping', timestamp: new Date().toISOString(), data: {} })),
  )
