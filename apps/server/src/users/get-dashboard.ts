import { type contract, appErrors, limits, type Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSubmissionsOfTeams } from '../submissions/queries.ts'
import { submissionOf } from '../submissions/views.ts'
import { findTeamsOfUser } from '../teams/queries.ts'
import { fullTeams } from '../teams/views.ts'
import { findFigures } from './queries.ts'
import { findUser, profileOf } from './views.ts'

type Dashboard = typeof contract.users.dashboard

/** The caller's account, statistics, teams and their latest submissions, in seven statements regardless of the number of rows. */
export async function getDashboard({ db, user }: MemberContext): Promise<Output<Dashboard>> {
  const most = limits.PAGE_SIZE.max
  const [row, stats, teams] = await Promise.all([
    findUser(db, user.id),
    findFigures(db, user.id),
    findTeamsOfUser(db, user.id, { id: user.id, seesInactive: true }, most),
  ])
  if (!row) throw new AppError(appErrors.notSignedIn)
  const teamIds = teams.map((team) => team.id)
  const [full, submissions] = await Promise.all([
    fullTeams(db, teams),
    findSubmissionsOfTeams(db, teamIds, most, user.id),
  ])
  return {
    dashboard: {
      user: profileOf(row),
      stats,
      teams: full,
      submissions: submissions.map((one) => submissionOf(one, user)),
    },
  }
}
