import { appErrors, type contract, limits } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { AuthenticatedContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam } from '../teams/commands.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { assertAdmin } from '../personal-tokens/assert-scope.ts'
import { lockActiveUser, lockAdmin } from '../users/lock-user.ts'
import { assertEventsAllowed, assertUrlAllowed } from './check-webhook.ts'
import { insertWebhook, lockCommunityWebhooks } from './commands.ts'
import { auditIfCommunity } from './lock-webhook.ts'
import { countWebhooks } from './queries.ts'
import { createSigningSecret } from './signing.ts'
import { toWebhook } from './views.ts'

/** Locks the team, or the community’s webhooks, so that concurrent calls cannot exceed the number of webhooks. */
async function lockOwner(tx: Tx, ctx: AuthenticatedContext, teamId: string | null): Promise<void> {
  if (teamId === null) {
    await lockAdmin(tx, ctx)
    return lockCommunityWebhooks(tx)
  }
  const caller = await lockActiveUser(tx, ctx.user.id, 'share')
  const team = await lockTeam(tx, teamId)
  if (!team) throw new AppError({ ...appErrors.teamMissing, path: 'teamId' })
  if (team.ownerId !== caller.id) throw new AppError(appErrors.chefOnly)
}

/** Creates a webhook of the caller’s team, or of the community. The secret is stored sealed and returned this once. */
export const createWebhook: UseCase<typeof contract.webhooks.create> = async (
  ctx,
  { url, events, password, ...input },
) => {
  const teamId = input.teamId ?? null
  assertUrlAllowed(url, ctx.deps.config)
  assertEventsAllowed(teamId, events)
  if (teamId === null) assertAdmin(ctx)
  await confirmIfAdmin(ctx, password)
  const secret = createSigningSecret()
  return inTransaction(ctx.db, async (tx) => {
    await lockOwner(tx, ctx, teamId)
    if ((await countWebhooks(tx, teamId)) >= limits.WEBHOOKS_MAX) throw new AppError(appErrors.tooManyWebhooks)
    const sealed = ctx.deps.secret.seal(secret)
    const webhook = await insertWebhook(tx, { teamId, url, events, secret: sealed, createdBy: ctx.user.id })
    await auditIfCommunity(tx, ctx, webhook, 'webhooks.create', { events })
    return { webhook: toWebhook(webhook), secret }
  })
}
