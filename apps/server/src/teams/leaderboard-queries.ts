import { type Reader, prepared } from '@community/db'
import { counts, pointsLedger, teamMembers, teams } from '@community/db/schema'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { readCountedTotal } from '../pagination/counts.ts'
import { preparePages, ROWS_MAX, type PageInput, withTotal } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'
import { activeCondition, teamIdsParam } from './queries.ts'

export const leaderboardCondition = or(activeCondition, sql`${teams.points} > 0`)
const reachedAt = sql`coalesce(${teams.pointsReachedAt}, 'infinity')`
// Written like the index `teams_ranked`, or it would not be used; in one direction, so that a scan starts at the cursor among ties.
export const leaderboardOrder = listOrder('teams.leaderboard', [
  { expression: sql`(-${teams.points})`, type: 'bigint' },
  { expression: reachedAt, type: 'timestamptz' },
  { expression: teams.nameKey, type: 'text' },
])

const leaderboardColumns = {
  id: teams.id,
  name: teams.name,
  challengesCompleted: teams.challengesCompleted,
  points: teams.points,
}

const otherTeam = alias(teams, 'other_team')
// Ties at 0 points are ordered by name: the index of active teams by points and name has this order.
const tiedTeamsAhead = sql<number>`case when ${teams.points} = 0
  then (select count(*) from ${teams} ${otherTeam} where ${otherTeam.isActive} and ${otherTeam.points} = 0 and ${otherTeam.nameKey} < ${teams.nameKey})
  else (select count(*) from ${teams} ${otherTeam} where ${otherTeam.points} = ${teams.points} and (
    coalesce(${otherTeam.pointsReachedAt}, 'infinity'), ${otherTeam.nameKey}) < (${reachedAt}, ${teams.nameKey})) end`
const countTeams = (pointsCondition: SQL) => sql<number>`(
  select coalesce(sum(${counts.amount}), 0)::float8 from ${counts}
  where ${counts.name} = 'team_points' and ${counts.key} ${pointsCondition})`
const teamsWithMorePoints = countTeams(sql`> ${teams.points}`)

const leaderboardPages = preparePages('teams.leaderboard', leaderboardOrder, (db, { after, limit, offset }) => {
  const topTeams = db
    .select({
      ...leaderboardColumns,
      pointsReachedAt: teams.pointsReachedAt,
      nameKey: teams.nameKey,
      key: leaderboardOrder.key,
    })
    .from(teams)
    .where(and(leaderboardCondition, after))
    .orderBy(...leaderboardOrder.orderBy)
    .limit(ROWS_MAX)
    .offset(offset)
    // Aliased like the table, so that the columns are read directly instead of through a subquery.
    .as('teams')
  // Counted for the first row only: the others follow it.
  const teamsAhead = sql<number | null>`case when row_number() over () = 1
    then ${teamsWithMorePoints} + (${tiedTeamsAhead})::float8 end`
  return db
    .select({
      ...leaderboardColumns,
      key: topTeams.key,
      teamsAhead: (after ? teamsAhead : sql<number | null>`${offset}::float8`).as('teams_ahead'),
    })
    .from(topTeams)
    .limit(limit)
})
/**
 * Teams by points, then by who reached them first, then by name; without points only active ones. The first row has the number of
 * teams ahead. The total is a sum of counts, which have the same teams.
 */
export const findLeaderboard = (db: Reader, paging: PageInput) =>
  withTotal(leaderboardPages(db, paging), readCountedTotal(db, 'team_points'))

const standings = prepared('teams.standings', (db) => {
  // The leaderboard's order backwards, from these points on: the index has it.
  const teamAbove = db
    .select({ id: otherTeam.id, name: otherTeam.name, points: otherTeam.points })
    .from(otherTeam)
    .where(sql`(-${otherTeam.points}) < (-${teams.points})`)
    .orderBy(
      sql`(-${otherTeam.points}) desc, coalesce(${otherTeam.pointsReachedAt}, 'infinity') desc, ${otherTeam.nameKey} desc`,
    )
    .limit(1)
    .as('team_above')
  return db
    .select({
      ...leaderboardColumns,
      teamAbove: { id: teamAbove.id, name: teamAbove.name, points: teamAbove.points },
      teamsAhead: teamsWithMorePoints.as('teams_ahead'),
      tiedTeamsAhead: sql<number>`(${tiedTeamsAhead})::float8`.as('tied_teams_ahead'),
      teamsWithSamePoints: countTeams(sql`= ${teams.points}`).as('teams_with_same_points'),
      teamsWithPoints: countTeams(sql`> 0`).as('teams_with_points'),
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .leftJoinLateral(teamAbove, sql`true`)
    .where(and(eq(teamMembers.userId, sql.placeholder('userId')), leaderboardCondition))
    .orderBy(...leaderboardOrder.orderBy)
    .limit(sql.placeholder('limit'))
})
/**
 * A user's teams on the leaderboard, best first, with the next team that has more points, and the numbers of teams ahead, with equal
 * points, and ahead among these.
 */
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
