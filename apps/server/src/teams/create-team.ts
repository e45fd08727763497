import { type contract, type ErrorDefinition, appErrors, limits, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError, throwIf } from '../errors.ts'
import { consumeRateLimit } from '../http/rate-limits.ts'
import { findSettings } from '../system/queries.ts'
import { fillEmptyContact } from './fill-empty-contact.ts'
import { insertMember, insertTeam, findExistingRoleIds } from './commands.ts'
import { loadTeam } from './views.ts'
import { emitMembership } from '../webhooks/emit.ts'
import { lockActiveUser } from '../users/lock-user.ts'

type CreateRoute = typeof contract.teams.create

/** Creates a team whose chef and first member is the caller. A unique index rejects a taken name. */
export const createTeam: UseCase<typeof contract.teams.create> = (ctx, input) =>
  inTransaction(ctx.db, async (tx) => {
    const creator = await lockActiveUser(tx, ctx.user.id, 'no key update')
    if (creator.role === 'admin') throw new AppError(appErrors.adminsCannotCreate)
    if (!(await findSettings(tx)).teamCreationEnabled) throw new AppError(appErrors.teamCreationOff)
    throwIf(await whyRolesUnknown(tx, input))
    // In the same transaction: a rollback does not count against the daily limit.
    await consumeRateLimit(tx, `teams:${creator.id}`, { max: limits.TEAMS_PER_DAY, seconds: limits.DAY })

    const roleIds = [...new Set(input.rolesNeeded.map(({ id }) => id))]
    const teamId = await insertTeam(tx, input, creator.id, roleIds)
    const { firstName, lastName, email, personalExperience, role, ...contact } = input.userInfo
    const contactFields = { ...contact, experience: personalExperience }
    await insertMember(tx, {
      ...contactFields,
      teamId,
      userId: creator.id,
      roleId: role?.id,
      isChef: true,
      name: `${firstName} ${lastName}`.trim(),
      email,
    })
    await fillEmptyContact(tx, creator, contactFields)
    await emitMembership(tx, 'team.created', { id: teamId, name: input.name }, creator.id)
    return { team: await loadTeam(tx, teamId, ctx.deps) }
  })

async function whyRolesUnknown(
  tx: Tx,
  { rolesNeeded, userInfo }: ParsedInput<CreateRoute>,
): Promise<ErrorDefinition | null> {
  const existing = await findExistingRoleIds(
    tx,
    [...rolesNeeded, ...(userInfo.role ? [userInfo.role] : [])].map(({ id }) => id),
  )
  if (rolesNeeded.some(({ id }) => !existing.has(id))) return appErrors.roleUnknown
  if (userInfo.role && !existing.has(userInfo.role.id)) return { ...appErrors.roleUnknown, path: 'userInfo.role' }
  return null
}
