import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { assertEventsAllowed, assertUrlAllowed } from './check-webhook.ts'
import { deleteWebhook, replaceWebhookSecret, updateWebhookRow } from './commands.ts'
import { auditIfCommunity, lockWebhook } from './lock-webhook.ts'
import { createSigningSecret } from './signing.ts'
import { toWebhook } from './views.ts'

/** Changes a webhook. Resuming one, and a new URL, clear its failures. */
export const updateWebhook: UseCase<typeof contract.webhooks.update> = async (ctx, { id, password, ...changes }) => {
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
export const rotateSecret: UseCase<typeof contract.webhooks.rotateSecret> = async (ctx, { id, password }) => {
  await confirmIfAdmin(ctx, password)
  const secret = createSigningSecret()
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockWebhook(tx, ctx, id)
    const webhook = await replaceWebhookSecret(tx, before, ctx.deps.secret.seal(secret))
    await auditIfCommunity(tx, ctx, before, 'webhooks.rotateSecret')
    return { webhook: toWebhook(webhook), secret }
  })
}

export const removeWebhook: UseCase<typeof contract.webhooks.remove> = async (ctx, { id, password }) => {
  await confirmIfAdmin(ctx, password)
  await inTransaction(ctx.db, async (tx) => {
    const webhook = await lockWebhook(tx, ctx, id)
    await deleteWebhook(tx, id)
    await auditIfCommunity(tx, ctx, webhook, 'webhooks.remove')
  })
  return {}
}
