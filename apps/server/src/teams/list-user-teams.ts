import { type contract, appErrors, limits, type Output, type Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findTeamsOfUser, userExists } from './queries.ts'
import { fullTeams } from './views.ts'

type UserTeams = typeof contract.users.teams

/**
 * Returns up to 100 teams that the user is a member of, sorted by name. Inactive teams are included for administrators and for
 * members of the team only. Throws `userMissing` for an unknown id.
 */
export async function listUserTeams(
  { db, user }: MemberContext,
  { id }: Parsed<UserTeams>,
): Promise<Output<UserTeams>> {
  const viewer = { id: user.id, seesInactive: user.role === 'admin' }
  const [exists, rows] = await Promise.all([userExists(db, id), findTeamsOfUser(db, id, viewer, limits.PAGE_SIZE.max)])
  if (!exists) throw new AppError(appErrors.userMissing)
  return { teams: await fullTeams(db, rows) }
}
