import { type contract, appErrors, limits } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmissionsOfTeams } from '../submissions/team-queries.ts'
import { toSubmission } from '../submissions/views.ts'
import { findTeamsOfUser } from '../teams/queries.ts'
import { toAvatarUrl, toProfile } from './views.ts'
import { findAccountById } from './account-queries.ts'

const WORKS_MAX = 20

/** A user with their teams and the teams' approved submissions. The user and administrators see the whole profile. */
export const getUser: UseCase<typeof contract.users.get> = async (ctx, { id }) => {
  const { db, deps, user } = ctx
  const canSeeAll = user.id === id || user.role === 'admin'
  const [row, { rows: teams }] = await Promise.all([
    findAccountById(db, id),
    findTeamsOfUser(db, {
      userId: id,
      viewer: { id: user.id, seesInactive: canSeeAll },
      page: 1,
      limit: limits.PAGE_SIZE.max,
    }),
  ])
  if (!row) throw new AppError(appErrors.userMissing)
  const teamIds = teams.map((team) => team.id)
  const works = await findSubmissionsOfTeams(db, teamIds, WORKS_MAX, { id: user.id, seesAll: false })
  const related = {
    teams: teams.map((team) => ({ id: team.id, _id: team.id, name: team.name })),
    works: works.map((work) => toSubmission(work, ctx)),
  }
  if (canSeeAll) return { user: { visibility: 'full', ...toProfile(row, deps), ...related } }
  const { name, createdAt } = row
  const avatarUrl = toAvatarUrl(deps, row.avatarUrl)
  return {
    user: { visibility: 'public', id, _id: id, name, avatarUrl, createdAt: createdAt.toISOString(), ...related },
  }
}
