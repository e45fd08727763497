import { type contract, appErrors, limits } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import type { SubmissionRow } from '../submissions/page-queries.ts'
import { findSubmissionsOfTeams } from '../submissions/team-queries.ts'
import { toSubmission } from '../submissions/views.ts'
import { findTeamsOfUser, type TeamRow } from '../teams/queries.ts'
import { loadTeams } from '../teams/views.ts'
import { findUserStats } from './queries.ts'
import { toProfile } from './views.ts'
import { findAccountById } from './account-queries.ts'

/** The caller's account, statistics, teams and their latest submissions, in five statements, or seven if these are not all of them. */
export const getDashboard: UseCase<typeof contract.users.dashboard> = async (ctx) => {
  const { db, deps, user } = ctx
  const limit = limits.PAGE_SIZE.max
  const [row, { rows: teams, nextCursor }] = await Promise.all([
    findAccountById(db, user.id),
    findTeamsOfUser(db, { userId: user.id, viewer: { id: user.id, seesInactive: true }, page: 1, limit }),
  ])
  if (!row) throw new AppError(appErrors.notSignedIn)
  const teamIds = teams.map((team) => team.id)
  const [fullTeams, submissions] = await Promise.all([
    loadTeams(db, teams, deps),
    findSubmissionsOfTeams(db, teamIds, limit, { id: user.id, seesAll: true }),
  ])
  const hasAllRows = nextCursor === null && submissions.length < limit
  return {
    dashboard: {
      user: toProfile(row, deps),
      stats: hasAllRows ? calculateStats(teams, submissions) : await findUserStats(db, user.id),
      teams: fullTeams,
      submissions: submissions.map((submission) => toSubmission(submission, ctx)),
    },
  }
}

/** The same as `findUserStats`, of all teams of a user and all submissions of these. */
function calculateStats(teams: TeamRow[], submissions: SubmissionRow[]) {
  const sumOf = (name: 'points' | 'challengesCompleted') => teams.reduce((sum, team) => sum + team[name], 0)
  const countWithStatus = (status: SubmissionRow['status']) =>
    submissions.filter((submission) => submission.status === status).length
  return {
    teams: teams.length,
    points: sumOf('points'),
    challengesCompleted: sumOf('challengesCompleted'),
    submissions: submissions.length,
    pending: countWithStatus('pending'),
    approved: countWithStatus('approved'),
    rejected: countWithStatus('rejected'),
  }
}
