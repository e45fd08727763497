import { appErrors } from '@community/contract'
import type { Tx } from '@community/db'
import { type AuditEntry, audit } from '../admin/audit.ts'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { assertActive } from '../users/lock-user.ts'
import type { LockedTeam } from './commands.ts'
import { lockUserAndTeam } from './lock-user-and-team.ts'

/** Locks the caller, then the team; throws unless the caller is its chef or an administrator. */
export async function lockAsChef(tx: Tx, ctx: AuthenticatedContext, teamId: string): Promise<LockedTeam> {
  const { user, team } = await lockUserAndTeam(tx, ctx.user.id, teamId)
  const caller = assertActive(user)
  if (!team) throw new AppError(appErrors.teamMissing)
  // An admin role revoked since the password check no longer counts.
  const isAdmin = ctx.user.role === 'admin' && caller.role === 'admin'
  if (!isAdmin && team.ownerId !== caller.id) throw new AppError(appErrors.chefOnly)
  return team
}

/** Audits a chef's procedure only if an administrator used it. */
export async function auditIfAdmin(
  tx: Tx,
  ctx: AuthenticatedContext,
  team: LockedTeam,
  { action, details }: Pick<AuditEntry, 'action' | 'details'>,
): Promise<void> {
  if (ctx.user.role !== 'admin') return
  await audit(tx, ctx, { action, targetId: team.id, details: { name: team.name, ...details } })
}
