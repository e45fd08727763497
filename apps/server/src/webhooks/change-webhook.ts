import type { contract, EmptyData, Output, ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext, PasswordContext } from '../context.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { assertEventsAllowed, assertUrlAllowed } from './check-webhook.ts'
import { deleteWebhook, replaceWebhookSecret, updateWebhookRow } from './commands.ts'
import { auditIfCommunity, lockWebhook } from './lock-webhook.ts'
import { createSigningSecret } from './signing.ts'
import { toWebhook } from './views.ts'

type Routes = typeof contract.webhooks
type ChangeContext = AuthenticatedContext & PasswordContext

/** Changes a webhook. Resuming one, and a new URL, clear its failures. */
export async function updateWebhook(
  ctx: ChangeContext,
  { id, password, ...changes }: ParsedInput<Routes['update']>,
): Promise<Output<Routes['update']>> {
  const { url, events } = changes
  if (url !== undefined) assertUrlAllowed(url, ctx.deps.config)
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockWebhook(tx, ctx, id)
    if (events) assertEventsAllowed(before.teamId, events)
    const webhook = await updateWebhookRow(tx, before, changes, ctx.user.id)
    await auditIfCommunity(tx, ctx, before, 'webhooks.update', { changed: changes })
    return { webhook: toWebhook(webhook) }
  })
}

/** Replaces the signing secret; for a day the old one also signs. */
export async function rotateSecret(
  ctx: ChangeContext,
  { id, password }: ParsedInput<Routes['rotateSecret']>,
): Promise<Output<Routes['rotateSecret']>> {
  await confirmIfAdmin(ctx, password)
  const secret = createSigningSecret()
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockWebhook(tx, ctx, id)
    const webhook = await replaceWebhookSecret(tx, before, ctx.deps.secret.seal(secret))
    await auditIfCommunity(tx, ctx, before, 'webhooks.rotateSecret')
    return { webhook: toWebhook(webhook), secret }
  })
}

export async function removeWebhook(
  ctx: ChangeContext,
  { id, password }: ParsedInput<Routes['remove']>,
): Promise<EmptyData> {
  await confirmIfAdmin(ctx, password)
  await inTransaction(ctx.db, async (tx) => {
    const webhook = await lockWebhook(tx, ctx, id)
    await deleteWebhook(tx, id)
    await auditIfCommunity(tx, ctx, webhook, 'webhooks.remove')
  })
  return {}
}
