import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { auditIfAdmin, confirmIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { makeChef, membershipsOf, settleTeam } from './commands.ts'
import { viewTeam } from './views.ts'

type Transfer = typeof contract.teams.transferOwnership

/** Makes another member the chef; for the chef, or an administrator with their password. */
export async function transferOwnership(
  ctx: MemberContext & PasswordContext,
  input: Parsed<Transfer>,
): Promise<Output<Transfer>> {
  const { id, newOwnerId, password } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    const members = await membershipsOf(tx, id)
    if (!members.some(({ userId }) => userId === newOwnerId)) throw new AppError(appErrors.newOwnerMissing)
    if (team.ownerId === newOwnerId) throw new AppError(appErrors.alreadyChef)
    await makeChef(tx, id, newOwnerId)
    await settleTeam(tx, id, { memberCount: members.length, ownerId: newOwnerId, isActive: team.isActive })
    await auditIfAdmin(tx, ctx, team, {
      action: 'teams.transferOwnership',
      details: { from: team.ownerId, to: newOwnerId },
    })
    return { team: await viewTeam(tx, id) }
  })
}
