import { type contract, appErrors, limits, type Output } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmissionsOfTeams } from '../submissions/team-queries.ts'
import { toSubmission } from '../submissions/views.ts'
import { findTeamsOfUser } from '../teams/queries.ts'
import { loadTeams } from '../teams/views.ts'
import { findUserStats } from './queries.ts'
import { toProfile } from './views.ts'
import { findAccountById } from './account-queries.ts'

type DashboardRoute = typeof contract.users.dashboard

/** The caller's account, statistics, teams and their latest submissions, in seven statements regardless of the number of rows. */
export async function getDashboard(ctx: AuthenticatedContext): Promise<Output<DashboardRoute>> {
  const { db, deps, user } = ctx
  const limit = limits.PAGE_SIZE.max
  const [row, stats, { rows: teams }] = await Promise.all([
    findAccountById(db, user.id),
    findUserStats(db, user.id),
    findTeamsOfUser(db, { userId: user.id, viewer: { id: user.id, seesInactive: true }, page: 1, limit }),
  ])
  if (!row) throw new AppError(appErrors.notSignedIn)
  const teamIds = teams.map((team) => team.id)
  const [fullTeams, submissions] = await Promise.all([
    loadTeams(db, teams, deps),
    findSubmissionsOfTeams(db, teamIds, limit, user.id),
  ])
  return {
    dashboard: {
      user: toProfile(row, deps),
      stats,
      teams: fullTeams,
      submissions: submissions.map((submission) => toSubmission(submission, ctx)),
    },
  }
}
