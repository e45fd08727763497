import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findPageOfUserTeams, userExists } from './queries.ts'
import { loadTeams } from './views.ts'

/**
 * A page of the teams that the user is a member of, sorted by name. Inactive teams are included for administrators and for
 * members of the team only. Throws `userMissing` for an unknown id.
 */
export const listUserTeams: UseCase<typeof contract.users.teams> = async ({ db, deps, user }, { id, ...paging }) => {
  const viewer = { id: user.id, seesInactive: user.role === 'admin' }
  const [exists, page] = await Promise.all([
    userExists(db, id),
    findPageOfUserTeams(db, { ...paging, userId: id, viewer }),
  ])
  if (!exists) throw new AppError(appErrors.userMissing)
  return { teams: await loadTeams(db, page.rows, deps), pagination: toPagination(paging, page) }
}
