import { type contract, type Fault, faults, limits, type Output, type Parsed } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { refuse } from '../errors.ts'
import { takeOrRefuse } from '../http/rate-limits.ts'
import { findSettings } from '../system/queries.ts'
import { fillEmptyContact } from './fill-empty-contact.ts'
import { insertMember, insertTeam, knownRoleIds } from './commands.ts'
import { lockCaller } from './lock-caller.ts'
import { viewTeam } from './views.ts'

type Create = typeof contract.teams.create

/** Creates a team whose chef and first member is the caller. A name that is taken is refused by the database. */
export function createTeam(ctx: MemberContext, input: Parsed<Create>): Promise<Output<Create>> {
  return inTransaction(ctx.db, async (tx) => {
    const creator = await lockCaller(tx, ctx.user.id, 'no key update')
    refuse(creator.role === 'admin' ? faults.adminsCannotCreate : null)
    refuse((await findSettings(tx)).teamCreationEnabled ? null : faults.teamCreationOff)
    refuse(await whyRolesUnknown(tx, input))
    // In this transaction: only teams that come to be are counted.
    await takeOrRefuse(tx, `teams:${creator.id}`, { max: limits.TEAMS_PER_DAY, seconds: limits.DAY })

    const roleIds = [...new Set(input.rolesNeeded.map(({ id }) => id))]
    const { name, description, maxMembers, experience, userInfo } = input
    const teamId = await insertTeam(tx, { name, description, maxMembers, experience, ownerId: creator.id }, roleIds)
    const { firstName, lastName, email, personalExperience, role, ...contact } = userInfo
    const given = { ...contact, experience: personalExperience }
    await insertMember(tx, {
      ...given,
      teamId,
      userId: creator.id,
      roleId: role?.id,
      isChef: true,
      name: `${firstName} ${lastName}`.trim(),
      email,
    })
    await fillEmptyContact(tx, creator, given)
    return { team: await viewTeam(tx, teamId) }
  })
}

async function whyRolesUnknown(tx: Tx, { rolesNeeded, userInfo }: Parsed<Create>): Promise<Fault | null> {
  const known = await knownRoleIds(
    tx,
    [...rolesNeeded, ...(userInfo.role ? [userInfo.role] : [])].map(({ id }) => id),
  )
  if (rolesNeeded.some(({ id }) => !known.has(id))) return faults.roleUnknown
  if (userInfo.role && !known.has(userInfo.role.id)) return { ...faults.roleUnknown, path: 'userInfo.role' }
  return null
}
