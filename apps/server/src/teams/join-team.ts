import { type contract, faults, type Output, type Parsed, whyCannotJoin } from '@community/contract'
import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { Refusal, refuse } from '../errors.ts'
import { lockJoiner } from './lock-joiner.ts'
import { countMemberIn, insertMember, lockTeam, membershipsOf, roleIdsNeeded } from './store.ts'
import { viewTeam } from './views.ts'

type Join = typeof contract.teams.join

/** The caller takes a seat. All checks stand under the team's lock: the last seat is taken once. */
export function joinTeam(ctx: MemberContext, input: Parsed<Join>): Promise<Output<Join>> {
  return inTransaction(ctx.db, async (tx) => {
    const user = await lockJoiner(tx, ctx.user.id, 'share')
    const team = await lockTeam(tx, input.id)
    if (!team) throw new Refusal(faults.teamMissing)
    const [rolesNeeded, members] = await Promise.all([roleIdsNeeded(tx, team.id), membershipsOf(tx, team.id)])
    const isMember = members.some(({ userId }) => userId === user.id)
    refuse(whyCannotJoin({ ...team, rolesNeeded }, { role: user.role, isMember }, input.role.id))

    const { id: teamId, contact: _sameAsEmail, role, ...given } = input
    await insertMember(tx, { ...given, teamId, userId: user.id, roleId: role.id })
    await countMemberIn(tx, teamId)
    return { team: await viewTeam(tx, teamId) }
  })
}
