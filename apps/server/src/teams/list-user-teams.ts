import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findPageOfUserTeams, userExists } from './queries.ts'
import { loadTeams } from './views.ts'

type TeamsRoute = typeof contract.users.teams

/**
 * A page of the teams that the user is a member of, sorted by name. Inactive teams are included for administrators and for
 * members of the team only. Throws `userMissing` for an unknown id.
 */
export async function listUserTeams(
  { db, deps, user }: AuthenticatedContext,
  { id, ...paging }: ParsedInput<TeamsRoute>,
): Promise<Output<TeamsRoute>> {
  const viewer = { id: user.id, seesInactive: user.role === 'admin' }
  const [exists, page] = await Promise.all([
    userExists(db, id),
    findPageOfUserTeams(db, { ...paging, userId: id, viewer }),
  ])
  if (!exists) throw new AppError(appErrors.userMissing)
  return { teams: await loadTeams(db, page.rows, deps), pagination: toPagination(paging, page) }
}
