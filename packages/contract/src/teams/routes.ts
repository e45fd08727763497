import { z } from 'zod'
import {
  adminsCannotCreate,
  adminsCannotJoin,
  alreadyMember,
  banned,
  duplicateName,
  notAMember,
  roleNotNeeded,
  roleUnknown,
  teamCreationOff,
  teamFull,
  teamInactive,
  teamMissing,
  tooManyRequests,
} from '../error-catalogue.ts'
import { HISTORY_TEAMS_MAX, STANDINGS_MAX, TEAM_JOINS, TEAMS_PER_DAY } from '../limits.ts'
import { Id, Page, PageSince, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors } from '../search.ts'
import { Submission } from '../submissions/schemas.ts'
import { chefRoutes } from './chef-routes.ts'
import { CreateTeamInput, JoinTeamInput, Team, TeamListInput, TeamView } from './schemas.ts'
import { LeaderboardRow, PointsHistory, Standing, TeamIds } from './leaderboard-schemas.ts'

export const teams = {
  list: route('GET /teams', {
    access: 'visitor',
    cached: 'by role',
    summary: 'Active teams; visitors do not see descriptions, figures or members',
    description:
      'Signed-in users get whole teams with their members, visitors cards. `role` finds teams that need a role, `updatedSince` what changed since the last call.',
    input: TeamListInput,
    output: z.object({ teams: z.array(TeamView), pagination: Pagination }),
    errors: searchErrors,
  }),
  leaderboard: route('GET /teams/leaderboard', {
    access: 'visitor',
    cached: 'by role',
    summary: 'Teams by points, then by who reached them first, then by name',
    description:
      'Ranks are unique and those of the moment you read them. Teams without points follow those with points, by name. Send the `ETag` to poll it cheaply.',
    input: z.object(Page),
    output: z.object({ leaderboard: z.array(LeaderboardRow), pagination: Pagination }),
  }),
  pointsHistory: route('GET /teams/leaderboard/history', {
    access: 'visitor',
    beyondSpecification: true,
    cached: 'by role',
    summary:
      'Points over time of the given teams, in the given order; unknown ids and teams not on the leaderboard are omitted',
    description: `For charts: one series per team with the total at the end of each day on which it changed, oldest first. Not paged: at most ${HISTORY_TEAMS_MAX} teams.`,
    input: z.object({ ids: TeamIds.describe('Ids of teams, separated by commas') }),
    output: z.object({ history: z.array(PointsHistory) }),
  }),
  standings: route('GET /teams/standings', {
    access: 'member',
    beyondSpecification: true,
    summary: 'The leaderboard ranks of the caller’s own teams, best first',
    description: `Finds ranks without reading the leaderboard. \`tied\` is true when another team has as many points. Not paged: at most ${STANDINGS_MAX} teams.`,
    output: z.object({ standings: z.array(Standing) }),
  }),
  get: route('GET /teams/{id}', {
    access: 'visitor',
    summary: 'One team; visitors do not see the description, figures or members',
    description:
      'Signed-in users get the whole `Team`, visitors a `TeamCard` without description, figures and members.',
    input: z.object({ id: Id }),
    output: z.object({ team: TeamView }),
    errors: { teamMissing },
  }),
  create: route('POST /teams', {
    access: 'member',
    creates: true,
    summary: 'Create a team; its creator becomes the chef',
    description: `\`userInfo\` is the creator’s contact data, which members of the team see. Roles come from \`GET /roles\`, by id or as the whole object. A member can create ${TEAMS_PER_DAY} teams a day.`,
    input: CreateTeamInput,
    output: z.object({ team: Team }),
    successMessage: 'Team Created!',
    errors: { duplicateName, roleUnknown, teamCreationOff, adminsCannotCreate, banned, tooManyRequests },
  }),
  join: route('POST /teams/{id}/join', {
    access: 'member',
    creates: true,
    summary: 'Join a team with one of the roles it needs',
    description: `The role must be one of the team’s \`rolesNeeded\`. The contact data is what members of the team see. A member can join ${TEAM_JOINS.perDay} times a day, and the same team ${TEAM_JOINS.perTeamAndHour} times an hour.`,
    input: JoinTeamInput,
    output: z.object({ team: Team }),
    successMessage: 'You joined the team',
    errors: {
      teamMissing,
      teamFull,
      teamInactive,
      alreadyMember,
      adminsCannotJoin,
      roleNotNeeded,
      banned,
      tooManyRequests,
    },
  }),
  leave: route('POST /teams/{id}/leave', {
    access: 'member',
    summary: 'Leave a team; if the chef leaves, the longest-standing member becomes chef',
    description: 'A team without members becomes inactive. Points and submissions stay with the team.',
    input: z.object({ id: Id }),
    successMessage: 'You have successfully left the team.',
    errors: { teamMissing, notAMember },
  }),
  submissions: route('GET /teams/{id}/submissions', {
    access: 'visitor',
    summary: 'A team’s submissions: only approved ones are public; its members and administrators see all',
    description: 'Newest first. Score and feedback of approved work are public, its notes are not.',
    input: z.object({ id: Id, ...PageSince }),
    output: z.object({ submissions: z.array(Submission), pagination: Pagination }),
    errors: { teamMissing },
  }),
  ...chefRoutes,
}
