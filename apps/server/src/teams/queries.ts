import { Team, TeamMember } from '@community/contract'
import { type Reader, prepared, sharedColumns } from '@community/db'
import { counts, pointsLedger, roles, teamMembers, teamRolesNeeded, teams, users } from '@community/db/schema'
import { and, asc, desc, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { MOST_ROWS } from '../pagination/keyset.ts'

export const teamColumns = sharedColumns(teams, Team.shape)

export const isActive = sql`${teams.isActive}`
const limit = sql.placeholder('limit')

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
          isActive,
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
    .limit(limit),
)
/** The teams of a user; inactive ones only if the viewer may see them. */
export const findTeamsOfUser = (
  db: Reader,
  userId: string,
  viewer: { id: string; seesInactive: boolean },
  most: number,
) => teamsOfUser(db, { userId, viewerId: viewer.id, seesInactive: viewer.seesInactive, limit: most })

const userById = prepared('teams.user-exists', (db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)
export const userExists = async (db: Reader, id: string): Promise<boolean> => (await userById(db, { id })).length > 0

const roleColumns = { id: roles.id, name: roles.name, emoji: roles.emoji }
const teamId = sql.placeholder('teamId')
const teamIds = sql`${sql.placeholder('teamIds')}::uuid[]`

const selectMembers = (db: Reader, ofTeams: SQL) =>
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
    .where(ofTeams)
    .orderBy(desc(teamMembers.isChef), asc(teamMembers.joinedAt), asc(teamMembers.userId))
const membersOfTeams = prepared('teams.members', (db) =>
  selectMembers(db, sql`${teamMembers.teamId} = any(${teamIds})`),
)
// A separate statement for one team: the `any(...)` form is replanned for each list, which takes two thirds of its time.
const membersOfTeam = prepared('teams.members-of-one', (db) => selectMembers(db, eq(teamMembers.teamId, teamId)))
export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number]
/** The members of the given teams: the chef first, then by joining time. */
export const findMembers = (db: Reader, teamIds: string[]) =>
  teamIds.length === 1 ? membersOfTeam(db, { teamId: teamIds[0] }) : membersOfTeams(db, { teamIds })

const selectRolesNeeded = (db: Reader, byTeams: SQL) =>
  db
    .select({ teamId: teamRolesNeeded.teamId, ...roleColumns })
    .from(teamRolesNeeded)
    .innerJoin(roles, eq(roles.id, teamRolesNeeded.roleId))
    .where(byTeams)
    .orderBy(asc(teamRolesNeeded.position), asc(roles.id))
const rolesOfTeams = prepared('teams.roles-needed', (db) =>
  selectRolesNeeded(db, sql`${teamRolesNeeded.teamId} = any(${teamIds})`),
)
const rolesOfTeam = prepared('teams.roles-needed-by-one', (db) =>
  selectRolesNeeded(db, eq(teamRolesNeeded.teamId, teamId)),
)
export type RoleNeededRow = Awaited<ReturnType<typeof findRolesNeeded>>[number]
export const findRolesNeeded = (db: Reader, teamIds: string[]) =>
  teamIds.length === 1 ? rolesOfTeam(db, { teamId: teamIds[0] }) : rolesOfTeams(db, { teamIds })

const isOnLeaderboard = or(isActive, sql`${teams.points} > 0`)
// Written like the index `teams_leaderboard`, or it would not be used.
const byStanding = [
  sql`${teams.points} desc nulls last`,
  sql`${teams.pointsReachedAt} asc nulls last`,
  asc(teams.nameKey),
]

const leaderColumns = {
  id: teams.id,
  name: teams.name,
  challengesCompleted: teams.challengesCompleted,
  points: teams.points,
}
const leaders = prepared('teams.leaderboard', (db) => {
  const most = db
    .select(leaderColumns)
    .from(teams)
    .where(isOnLeaderboard)
    .orderBy(...byStanding)
    .limit(MOST_ROWS)
    // Aliased like the table, so that the columns are read directly instead of through a subquery.
    .as('teams')
  return db.select(leaderColumns).from(most).limit(limit)
})
/** The first teams by points, then by who reached them first, then by name; without points only active ones. */
export const findLeaders = (db: Reader, most: number) => leaders(db, { limit: most })

const rival = alias(teams, 'rival')
const standings = prepared('teams.standings', (db) => {
  // Ties at 0 points are ordered by name: the index of active teams by points and name has this order.
  const aheadOfEquals = sql<number>`case when ${teams.points} = 0
    then (select count(*) from ${teams} ${rival} where ${rival.isActive} and ${rival.points} = 0 and ${rival.nameKey} < ${teams.nameKey})
    else (select count(*) from ${teams} ${rival} where ${rival.points} = ${teams.points} and (
      coalesce(${rival.pointsReachedAt}, 'infinity'), ${rival.nameKey}) < (
      coalesce(${teams.pointsReachedAt}, 'infinity'), ${teams.nameKey})) end`
  const isListed = (others: SQL) => sql<number>`(
    select coalesce(sum(${counts.amount}), 0)::float8 from ${counts}
    where ${counts.name} = 'team_points' and ${counts.key} ${others})`
  return db
    .select({
      ...leaderColumns,
      ahead: isListed(sql`> ${teams.points}`).as('ahead'),
      aheadOfEquals: sql<number>`(${aheadOfEquals})::float8`.as('ahead_of_equals'),
      level: isListed(sql`= ${teams.points}`).as('level'),
      teamsWithPoints: isListed(sql`> 0`).as('teams_with_points'),
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.userId, sql.placeholder('userId')), isOnLeaderboard))
    .orderBy(...byStanding)
    .limit(limit)
})
/** A user's teams on the leaderboard, best first, with the numbers of teams ahead, with equal points, and ahead among these. */
export const findStandings = (db: Reader, userId: string, most: number) => standings(db, { userId, limit: most })

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
    .where(sql`${pointsLedger.teamId} = any(${teamIds})`)
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
    .where(and(sql`${teams.id} = any(${teamIds})`, isOnLeaderboard))
    .orderBy(sql`array_position(${teamIds}, ${teams.id})`, changes.day)
})
/** Days (UTC) on which a team's points changed, with the total, in the order of `teamIds`, oldest first; one row for a team without any. */
export const findPointsHistory = (db: Reader, teamIds: string[]) => history(db, { teamIds })
