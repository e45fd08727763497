import { listTeamSubmissions } from '../submissions/list-team-submissions.ts'
import type { DomainUseCases } from '../trpc/init.ts'
import { createTeam } from './create-team.ts'
import { deleteTeam } from './delete-team.ts'
import { getLeaderboard } from './get-leaderboard.ts'
import { getPointsHistory } from './get-points-history.ts'
import { getStandings } from './get-standings.ts'
import { getTeam } from './get-team.ts'
import { joinTeam } from './join-team.ts'
import { leaveTeam } from './leave-team.ts'
import { listTeams } from './list-teams.ts'
import { removeTeamMember } from './remove-team-member.ts'
import { transferOwnership } from './transfer-ownership.ts'
import { updateTeam } from './update-team.ts'

export const teamsUseCases: DomainUseCases<'teams'> = {
  list: listTeams,
  leaderboard: getLeaderboard,
  pointsHistory: getPointsHistory,
  standings: getStandings,
  get: getTeam,
  create: createTeam,
  join: joinTeam,
  leave: leaveTeam,
  submissions: listTeamSubmissions,
  update: updateTeam,
  remove: deleteTeam,
  removeMember: removeTeamMember,
  transferOwnership,
}
