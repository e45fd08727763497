import { z } from 'zod'
import { duplicateName, memberMissing, ownAccount, teamEmpty, teamMissing } from '../faults.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { Team, TeamName } from '../teams/schemas.ts'
import { Confirmed } from './schemas.ts'

/** What administrators do about teams. */
export const adminTeamRoutes = {
  deleteTeam: route('DELETE /admin/teams/{id}', {
    access: 'admin',
    confirm: true,
    summary: 'Delete a team with its submissions, files and points',
    input: z.object({ id: Id, ...Confirmed }),
    done: 'Team deleted successfully',
    faults: { teamMissing },
  }),
  removeTeamMember: route('DELETE /admin/teams/{id}/members/{userId}', {
    access: 'admin',
    confirm: true,
    summary: 'Take a member out of a team; the oldest remaining member follows a chef',
    input: z.object({ id: Id, userId: Id, ...Confirmed }),
    output: z.object({ team: Team }),
    done: 'Member removed',
    faults: { teamMissing, memberMissing, ownAccount },
  }),
  renameTeam: route('PUT /admin/teams/{id}/rename', {
    access: 'admin',
    confirm: true,
    summary: 'Rename a team',
    input: z.object({ id: Id, name: TeamName, ...Confirmed }),
    output: z.object({ team: Team }),
    done: 'Team renamed successfully',
    faults: { teamMissing, duplicateName },
  }),
  activateTeam: route('POST /admin/teams/{id}/activate', {
    access: 'admin',
    summary: 'Show a team again and let people join it',
    input: z.object({ id: Id }),
    output: z.object({ team: Team }),
    done: 'Team activated successfully',
    faults: { teamMissing, teamEmpty },
  }),
  deactivateTeam: route('POST /admin/teams/{id}/deactivate', {
    access: 'admin',
    summary: 'Hide a team and let nobody join it',
    input: z.object({ id: Id }),
    output: z.object({ team: Team }),
    done: 'Team deactivated successfully',
    faults: { teamMissing },
  }),
  cleanupTeams: route('POST /admin/cleanup-teams', {
    access: 'admin',
    summary: 'Deactivate teams without members; delete those of them that have no submission',
    output: z.object({ deactivated: z.int(), deleted: z.int() }),
    done: 'Teams cleaned up',
  }),
}
