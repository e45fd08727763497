import { type contract, appErrors, resolveNextChef } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { auditIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { endMembership } from './end-membership.ts'
import { findMemberships } from './commands.ts'
import { loadTeam } from './views.ts'

/** Removes a member, as the chef or as an administrator with their password. `resolveNextChef` decides who follows a chef. */
export const removeTeamMember: UseCase<typeof contract.teams.removeMember> = async (ctx, input) => {
  const { id, userId, newOwnerId, autoAssign, password } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    const members = await findMemberships(tx, id)
    const nextChef = resolveNextChef(members, userId, { newOwnerId, autoAssign })
    if ('error' in nextChef) throw new AppError(nextChef.error)
    const departure = await endMembership(tx, team, members, {
      userId,
      reason: 'removed',
      nextChefId: nextChef.userId,
      actorId: ctx.user.id,
    })
    if (!departure) throw new AppError(appErrors.memberMissing)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.removeMember', details: { userId, ...departure } })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}
