import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { notifyNewChef } from '../notifications/notify-team.ts'
import { confirmIfAdmin } from '../admin/confirm-admin-password.ts'
import { auditIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { setChef, findMemberships, updateTeamState } from './commands.ts'
import { loadTeam } from './views.ts'

/** Makes another member the chef; for the chef, or an administrator with their password. */
export const transferOwnership: UseCase<typeof contract.teams.transferOwnership> = async (ctx, input) => {
  const { id, newOwnerId, password } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    const members = await findMemberships(tx, id)
    if (!members.some(({ userId }) => userId === newOwnerId)) throw new AppError(appErrors.newOwnerMissing)
    if (team.ownerId === newOwnerId) throw new AppError(appErrors.alreadyChef)
    await setChef(tx, id, newOwnerId)
    await updateTeamState(tx, id, { memberCount: members.length, ownerId: newOwnerId, isActive: team.isActive })
    await notifyNewChef(tx, team, newOwnerId, ctx.user.id)
    await auditIfAdmin(tx, ctx, team, {
      action: 'teams.transferOwnership',
      details: { from: team.ownerId, to: newOwnerId },
    })
    return { team: await loadTeam(tx, id, ctx.deps) }
  })
}
