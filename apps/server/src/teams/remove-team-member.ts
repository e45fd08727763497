import { type contract, appErrors, resolveNextChef, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { auditIfAdmin, confirmIfAdmin, lockAsChef } from './lock-as-chef.ts'
import { removeMember } from './remove-member.ts'
import { membershipsOf } from './commands.ts'
import { viewTeam } from './views.ts'

type Remove = typeof contract.teams.removeMember

/** Removes a member, as the chef or as an administrator with their password. `resolveNextChef` decides who follows a chef. */
export async function removeTeamMember(
  ctx: MemberContext & PasswordContext,
  input: Parsed<Remove>,
): Promise<Output<Remove>> {
  const { id, userId, newOwnerId, autoAssign, password } = input
  await confirmIfAdmin(ctx, password)
  return inTransaction(ctx.db, async (tx) => {
    const team = await lockAsChef(tx, ctx, id)
    const members = await membershipsOf(tx, id)
    const heir = resolveNextChef(members, userId, { newOwnerId, autoAssign })
    if ('error' in heir) throw new AppError(heir.error)
    const departure = await removeMember(tx, team, members, userId, heir.userId)
    if (!departure) throw new AppError(appErrors.memberMissing)
    await auditIfAdmin(tx, ctx, team, { action: 'teams.removeMember', details: { userId, ...departure } })
    return { team: await viewTeam(tx, id) }
  })
}
