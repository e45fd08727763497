import { type contract, appErrors, type Output, type Parsed, whyCannotJoin } from '@community/contract'
import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { countMemberIn, insertMember, lockTeam, membershipsOf, roleIdsNeeded } from './commands.ts'
import { viewTeam } from './views.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type Join = typeof contract.teams.join

/** Adds the caller to a team. All checks run under the team's lock, so the last seat is taken once. */
export function joinTeam(ctx: MemberContext, input: Parsed<Join>): Promise<Output<Join>> {
  return inTransaction(ctx.db, async (tx) => {
    const user = await lockActiveUser(tx, ctx.user.id, 'share')
    const team = await lockTeam(tx, input.id)
    if (!team) throw new AppError(appErrors.teamMissing)
    const [rolesNeeded, members] = await Promise.all([roleIdsNeeded(tx, input.id), membershipsOf(tx, input.id)])
    const isMember = members.some(({ userId }) => userId === user.id)
    throwIf(whyCannotJoin({ ...team, rolesNeeded }, { role: user.role, isMember }, input.role.id))

    const { id: teamId, contact: _sameAsEmail, role, ...given } = input
    const [, , view] = await Promise.all([
      insertMember(tx, { ...given, teamId, userId: user.id, roleId: role.id }),
      countMemberIn(tx, teamId),
      viewTeam(tx, teamId),
    ])
    return { team: view }
  })
}
