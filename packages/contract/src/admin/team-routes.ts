import { z } from 'zod'
import { duplicateName, memberMissing, ownAccount, teamEmpty, teamMissing } from '../error-catalogue.ts'
import { CLEANED_UP_TEAMS_MAX } from '../limits.ts'
import { Count, Id } from '../primitives.ts'
import { route } from '../route.ts'
import { Team, TeamName } from '../teams/schemas.ts'
import { PasswordConfirmation } from './schemas.ts'

/** Admin procedures for teams. */
export const adminTeamRoutes = {
  deleteTeam: route('DELETE /admin/teams/{id}', {
    access: 'admin',
    audits: 'team',
    requiresAdminPassword: true,
    summary: 'Delete a team with its submissions, files and points',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'Team deleted successfully',
    errors: { teamMissing },
  }),
  removeTeamMember: route('DELETE /admin/teams/{id}/members/{userId}', {
    access: 'admin',
    audits: 'team',
    requiresAdminPassword: true,
    summary: 'Remove a member from a team; if it was the chef, the longest-standing member becomes chef',
    input: z.object({ id: Id, userId: Id, ...PasswordConfirmation }),
    output: z.object({ team: Team }),
    successMessage: 'Member removed',
    errors: { teamMissing, memberMissing, ownAccount },
  }),
  renameTeam: route('PUT /admin/teams/{id}/rename', {
    access: 'admin',
    audits: 'team',
    requiresAdminPassword: true,
    summary: 'Rename a team',
    input: z.object({ id: Id, name: TeamName, ...PasswordConfirmation }),
    output: z.object({ team: Team }),
    successMessage: 'Team renamed successfully',
    errors: { teamMissing, duplicateName },
  }),
  activateTeam: route('POST /admin/teams/{id}/activate', {
    access: 'admin',
    audits: 'team',
    summary: 'Make a team visible and open to new members again',
    input: z.object({ id: Id }),
    output: z.object({ team: Team }),
    successMessage: 'Team activated successfully',
    errors: { teamMissing, teamEmpty },
  }),
  deactivateTeam: route('POST /admin/teams/{id}/deactivate', {
    access: 'admin',
    audits: 'team',
    summary: 'Hide a team and close it to new members',
    input: z.object({ id: Id }),
    output: z.object({ team: Team }),
    successMessage: 'Team deactivated successfully',
    errors: { teamMissing },
  }),
  cleanupTeams: route('POST /admin/cleanup-teams', {
    access: 'admin',
    audits: 'team',
    summary: 'Delete teams without members that never submitted',
    description: `At most ${CLEANED_UP_TEAMS_MAX} at once: repeat the call for more.`,
    output: z.object({
      deactivated: Count.describe('Always 0: a team without members is inactive'),
      deleted: Count,
    }),
    successMessage: 'Teams cleaned up',
  }),
}
