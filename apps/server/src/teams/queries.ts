import { Team, TeamMember } from '@community/contract'
import { type Reader, prepared, sharedColumns } from '@community/db'
import { counts, pointsLedger, roles, teamMembers, teamRolesNeeded, teams, users } from '@community/db/schema'
import { and, asc, desc, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ROWS_MAX } from '../pagination/keyset.ts'

export const teamColumns = sharedColumns(teams, Team.shape)

export const activeCondition = sql`${teams.isActive}`
const limitParam = sql.placeholder('limit')

export type TeamRow = Awaited<ReturnType<typeof teamById>>[number]
const teamById = prepared('teams.by-id', (db) =>
  db
    .select(teamColumns)
    .from(teams)
    .where(eq(teams.id, sql.placeholder('id'))),
)
export async function findTeam(db: Reader, id: string): Promise<TeamRow | undefined> {
  const [team] = await teamById(db, { id })
  return team
}

const viewerMember = alias(teamMembers, 'viewer_member')
const teamsOfUser = prepared('teams.of-user', (db) =>
  db
    .select(teamColumns)
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(
      and(
        eq(teamMembers.userId, sql.placeholder('userId')),
        or(
          activeCondition,
          sql`${sql.placeholder('seesInactive')}::boolean`,
          exists(
            db
              .select({ one: sql`1` })
              .from(viewerMember)
              .where(and(eq(viewerMember.teamId, teams.id), eq(viewerMember.userId, sql.placeholder('viewerId')))),
          ),
        ),
      ),
    )
    .orderBy(asc(teams.nameKey), asc(teams.id))
    .limit(limitParam),
)
/** The teams of a user; inactive ones only if the viewer may see them. */
export const findTeamsOfUser = (
  db: Reader,
  userId: string,
  viewer: { id: string; seesInactive: boolean },
  limit: number,
) => teamsOfUser(db, { userId, viewerId: viewer.id, seesInactive: viewer.seesInactive, limit })

const userById = prepared('teams.user-exists', (db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)
export const userExists = async (db: Reader, id: string): Promise<boolean> => (await userById(db, { id })).length > 0

const roleColumns = { id: roles.id, name: roles.name, emoji: roles.emoji }
const teamId = sql.placeholder('teamId')
const teamIdsParam = sql`${sql.placeholder('teamIds')}::uuid[]`

const selectMembers = (db: Reader, condition: SQL) =>
  db
    .select({
      ...sharedColumns(teamMembers, TeamMember.shape),
      teamId: teamMembers.teamId,
      avatarUrl: users.avatarUrl,
      accountName: users.name,
      isAccountEmail: sql<boolean>`${users.email} = ${teamMembers.email}`,
      role: roleColumns,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .leftJoin(roles, eq(roles.id, teamMembers.roleId))
    .where(condition)
    .orderBy(desc(teamMembers.isChef), asc(teamMembers.joinedAt), asc(teamMembers.userId))
const membersOfTeams = prepared('teams.members', (db) =>
  selectMembers(db, sql`${teamMembers.teamId} = any(${teamIdsParam})`),
)
// A separate statement for one team: the `any(...)` form is replanned for each list, which takes two thirds of its time.
const membersOfTeam = prepared('teams.members-of-one', (db) => selectMembers(db, eq(teamMembers.teamId, teamId)))
export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number]
/** The members of the given teams: the chef first, then by joining time. */
export const findMembers = (db: Reader, teamIds: string[]) =>
  teamIds.length === 1 ? membersOfTeam(db, { teamId: teamIds[0] }) : membersOfTeams(db, { teamIds })

const selectRolesNeeded = (db: Reader, condition: SQL) =>
  db
    .select({ teamId: teamRolesNeeded.teamId, ...roleColumns })
    .from(teamRolesNeeded)
    .innerJoin(roles, eq(roles.id, teamRolesNeeded.roleId))
    .where(condition)
    .orderBy(asc(teamRolesNeeded.position), asc(roles.id))
const rolesOfTeams = prepared('teams.roles-needed', (db) =>
  selectRolesNeeded(db, sql`${teamRolesNeeded.teamId} = any(${teamIdsParam})`),
)
const rolesOfTeam = prepared('teams.roles-needed-by-one', (db) =>
  selectRolesNeeded(db, eq(teamRolesNeeded.teamId, teamId)),
)
export type RoleNeededRow = Awaited<ReturnType<typeof findRolesNeeded>>[number]
export const findRolesNeeded = (db: Reader, teamIds: string[]) =>
  teamIds.length === 1 ? rolesOfTeam(db, { teamId: teamIds[0] }) : rolesOfTeams(db, { teamIds })

const leaderboardCondition = or(activeCondition, sql`${teams.points} > 0`)
// Written like the index `teams_leaderboard`, or it would not be used.
const leaderboardOrder = [
  sql`${teams.points} desc nulls last`,
  sql`${teams.pointsReachedAt} asc nulls last`,
  asc(teams.nameKey),
]

const leaderboardColumns = {
  id: teams.id,
  name: teams.name,
  challengesCompleted: teams.challengesCompleted,
  points: teams.points,
}
const leaderboard = prepared('teams.leaderboard', (db) => {
  const topTeams = db
    .select(leaderboardColumns)
    .from(teams)
    .where(leaderboardCondition)
    .orderBy(...leaderboardOrder)
    .limit(ROWS_MAX)
    // Aliased like the table, so that the columns are read directly instead of through a subquery.
    .as('teams')
  return db.select(leaderboardColumns).from(topTeams).limit(limitParam)
})
/** The first teams by points, then by who reached them first, then by name; without points only active ones. */
export const findLeaderboard = (db: Reader, limit: number) => leaderboard(db, { limit })

const otherTeam = alias(teams, 'rival')
const standings = prepared('teams.standings', (db) => {
  // Ties at 0 points are ordered by name: the index of active teams by points and name has this order.
  const tiedTeamsAhead = sql<number>`case when ${teams.points} = 0
    then (select count(*) from ${teams} ${otherTeam} where ${otherTeam.isActive} and ${otherTeam.points} = 0 and ${otherTeam.nameKey} < ${teams.nameKey})
    else (select count(*) from ${teams} ${otherTeam} where ${otherTeam.points} = ${teams.points} and (
      coalesce(${otherTeam.pointsReachedAt}, 'infinity'), ${otherTeam.nameKey}) < (
      coalesce(${teams.pointsReachedAt}, 'infinity'), ${teams.nameKey})) end`
  const countTeams = (pointsCondition: SQL) => sql<number>`(
    select coalesce(sum(${counts.amount}), 0)::float8 from ${counts}
    where ${counts.name} = 'team_points' and ${counts.key} ${pointsCondition})`
  return db
    .select({
      ...leaderboardColumns,
      teamsAhead: countTeams(sql`> ${teams.points}`).as('ahead'),
      tiedTeamsAhead: sql<number>`(${tiedTeamsAhead})::float8`.as('ahead_of_equals'),
      teamsWithSamePoints: countTeams(sql`= ${teams.points}`).as('level'),
      teamsWithPoints: countTeams(sql`> 0`).as('teams_with_points'),
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.userId, sql.placeholder('userId')), leaderboardCondition))
    .orderBy(...leaderboardOrder)
    .limit(limitParam)
})
/** A user's teams on the leaderboard, best first, with the numbers of teams ahead, with equal points, and ahead among these. */
export const findStandings = (db: Reader, userId: string, limit: number) => standings(db, { userId, limit })

const history = prepared('teams.points-history', (db) => {
  const day = sql`(${pointsLedger.createdAt} at time zone 'UTC')::date`
  const changes = db
    .select({
      teamId: pointsLedger.teamId,
      day: day.as('day'),
      points:
        sql<number>`sum(sum(${pointsLedger.delta})) over (partition by ${pointsLedger.teamId} order by ${day})::int`.as(
          'total',
        ),
    })
    .from(pointsLedger)
    .where(sql`${pointsLedger.teamId} = any(${teamIdsParam})`)
    .groupBy(pointsLedger.teamId, day)
    .having(sql`sum(${pointsLedger.delta}) <> 0`)
    .as('changes')
  return db
    .select({
      id: teams.id,
      name: teams.name,
      day: sql<string | null>`${changes.day}::text`.as('on_day'),
      points: changes.points,
    })
    .from(teams)
    .leftJoin(changes, eq(changes.teamId, teams.id))
    .where(and(sql`${teams.id} = any(${teamIdsParam})`, leaderboardCondition))
    .orderBy(sql`array_position(${teamIdsParam}, ${teams.id})`, changes.day)
})
/** Days (UTC) on which a team's points changed, with the total, in the order of `teamIds`, oldest first; one row for a team without any. */
export const findPointsHistory = (db: Reader, teamIds: string[]) => history(db, { teamIds })
