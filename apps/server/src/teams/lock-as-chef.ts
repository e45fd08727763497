import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { type AuditEntry, audit } from '../admin/audit.ts'
import { confirmAdminPassword } from '../admin/confirm-admin-password.ts'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { type LockedTeam, lockTeam } from './commands.ts'
import { lockActiveUser } from '../users/lock-user.ts'

/** Before any effect of the chef's calls: an administrator, who may use them on any team, re-enters their password. */
export async function confirmIfAdmin(
  ctx: MemberContext & PasswordContext,
  password: string | undefined,
): Promise<void> {
  if (ctx.user.role === 'admin') await confirmAdminPassword(ctx, password ?? '')
}

/** Locks the caller and then the team; refuses who is neither its chef nor an administrator. */
export async function lockAsChef(tx: Tx, ctx: MemberContext, teamId: string): Promise<LockedTeam> {
  const caller = await lockActiveUser(tx, ctx.user.id, 'share')
  const team = await lockTeam(tx, teamId)
  if (!team) throw new AppError(appErrors.teamMissing)
  // Whose role was taken away since their password was checked is an ordinary member.
  const isAdmin = ctx.user.role === 'admin' && caller.role === 'admin'
  if (!isAdmin && team.ownerId !== caller.id) throw new AppError(appErrors.chefOnly)
  return team
}

/** What an administrator does with a chef's call goes into the audit log; a chef's own doing does not. */
export async function auditIfAdmin(
  tx: Tx,
  ctx: MemberContext,
  team: LockedTeam,
  { action, details }: Pick<AuditEntry, 'action' | 'details'>,
): Promise<void> {
  if (ctx.user.role !== 'admin') return
  await audit(tx, ctx, { action, targetType: 'team', targetId: team.id, details: { name: team.name, ...details } })
}
