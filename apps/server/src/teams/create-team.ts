import { type contract, type ErrorDefinition, appErrors, limits, type Output, type Parsed } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { takeSlotOrThrow } from '../http/rate-limits.ts'
import { findSettings } from '../system/queries.ts'
import { fillEmptyContact } from './fill-empty-contact.ts'
import { insertMember, insertTeam, knownRoleIds } from './commands.ts'
import { viewTeam } from './views.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type Create = typeof contract.teams.create

/** Creates a team whose chef and first member is the caller. A unique index rejects a taken name. */
export function createTeam(ctx: MemberContext, input: Parsed<Create>): Promise<Output<Create>> {
  return inTransaction(ctx.db, async (tx) => {
    const creator = await lockActiveUser(tx, ctx.user.id, 'no key update')
    if (creator.role === 'admin') throw new AppError(appErrors.adminsCannotCreate)
    if (!(await findSettings(tx)).teamCreationEnabled) throw new AppError(appErrors.teamCreationOff)
    throwIf(await whyRolesUnknown(tx, input))
    // In the same transaction: a rollback does not count against the daily limit.
    await takeSlotOrThrow(tx, `teams:${creator.id}`, { max: limits.TEAMS_PER_DAY, seconds: limits.DAY })

    const roleIds = [...new Set(input.rolesNeeded.map(({ id }) => id))]
    const teamId = await insertTeam(tx, input, creator.id, roleIds)
    const { firstName, lastName, email, personalExperience, role, ...contact } = input.userInfo
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

async function whyRolesUnknown(tx: Tx, { rolesNeeded, userInfo }: Parsed<Create>): Promise<ErrorDefinition | null> {
  const known = await knownRoleIds(
    tx,
    [...rolesNeeded, ...(userInfo.role ? [userInfo.role] : [])].map(({ id }) => id),
  )
  if (rolesNeeded.some(({ id }) => !known.has(id))) return appErrors.roleUnknown
  if (userInfo.role && !known.has(userInfo.role.id)) return { ...appErrors.roleUnknown, path: 'userInfo.role' }
  return null
}
