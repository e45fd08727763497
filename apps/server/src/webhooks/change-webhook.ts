import { type contract, type EmptyData, limits, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { webhooks } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { AuthenticatedContext, PasswordContext } from '../context.ts'
import { inSeconds } from '../jobs/queue.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { assertEventsAllowed, assertUrlAllowed } from './check-webhook.ts'
import { auditIfCommunity, lockWebhook } from './lock-webhook.ts'
import { createSigningSecret } from './signing.ts'
import type { WebhookRow } from './queries.ts'
import { toWebhook } from './views.ts'

type Routes = typeof contract.webhooks
type ChangeContext = AuthenticatedContext & PasswordContext

/** Changes a webhook. Resuming one forgets its failures. A URL belongs to who set it: a predecessor must not find it in their data. */
export async function updateWebhook(
  ctx: ChangeContext,
  { id, password, ...changes }: ParsedInput<Routes['update']>,
): Promise<Output<Routes['update']>> {
  const { url, events, isActive } = changes
  if (url !== undefined) assertUrlAllowed(url, ctx.deps.config)
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockWebhook(tx, ctx, id)
    if (events) assertEventsAllowed(before.teamId, events)
    const [row] = await tx
      .update(webhooks)
      .set({
        url,
        events,
        isActive,
        ...(url !== undefined && url !== before.url && { createdBy: ctx.user.id }),
        ...(isActive && { failingSince: null }),
        updatedAt: sql`now()`,
      })
      .where(eq(webhooks.id, id))
      .returning()
    await auditIfCommunity(tx, ctx, before, 'webhooks.update', { changed: changes })
    return { webhook: toWebhook(row as WebhookRow) }
  })
}

/** Replaces the signing secret; the old one signs along for a day. */
export async function rotateSecret(
  ctx: ChangeContext,
  { id, password }: ParsedInput<Routes['rotateSecret']>,
): Promise<Output<Routes['rotateSecret']>> {
  await confirmIfAdmin(ctx, password)
  const secret = createSigningSecret()
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockWebhook(tx, ctx, id)
    const [row] = await tx
      .update(webhooks)
      .set({
        secret: ctx.deps.secret.seal(secret),
        previousSecret: before.secret,
        previousSecretUntil: inSeconds(limits.WEBHOOK_SECRET_OVERLAP),
        updatedAt: sql`now()`,
      })
      .where(eq(webhooks.id, id))
      .returning()
    await auditIfCommunity(tx, ctx, before, 'webhooks.rotateSecret')
    return { webhook: toWebhook(row as WebhookRow), secret }
  })
}

export async function removeWebhook(
  ctx: ChangeContext,
  { id, password }: ParsedInput<Routes['remove']>,
): Promise<EmptyData> {
  await confirmIfAdmin(ctx, password)
  await inTransaction(ctx.db, async (tx) => {
    const webhook = await lockWebhook(tx, ctx, id)
    await tx.delete(webhooks).where(eq(webhooks.id, id))
    await auditIfCommunity(tx, ctx, webhook, 'webhooks.remove')
  })
  return {}
}
