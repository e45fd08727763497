import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { audit } from '../admin/audit.ts'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockTeam } from '../teams/commands.ts'
import { lockActiveUser } from '../users/lock-user.ts'
import { lockManagedWebhook } from './commands.ts'
import { findManagedWebhook, type WebhookRow } from './queries.ts'

/** Locks the caller, the team of a webhook that they manage, so that they stay its chef, and the webhook; throws `webhookMissing` for any other. */
export async function lockWebhook(tx: Tx, ctx: AuthenticatedContext, id: string): Promise<WebhookRow> {
  const caller = await lockActiveUser(tx, ctx.user.id, 'share')
  // An administrator needs the role now, not only at the password check, and with a token also the scope `admin`.
  const role = ctx.user.role === 'admin' ? caller.role : 'member'
  const manager = { id: caller.id, role }
  const found = await findManagedWebhook(tx, manager, id)
  if (found?.teamId) await lockTeam(tx, found.teamId)
  const webhook = found && (await lockManagedWebhook(tx, manager, id))
  if (!webhook) throw new AppError(appErrors.webhookMissing)
  return webhook
}

/** Writes an audit entry if the webhook is the community’s: changes of a team’s webhooks are not audited. */
export async function auditIfCommunity(
  tx: Tx,
  ctx: AuthenticatedContext,
  { id, teamId, url }: WebhookRow,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (teamId === null) await audit(tx, ctx, { action, targetId: id, details: { url, ...details } })
}
