import { placeholders, prepared, rawQuery, type Tx } from '@community/db'
import type { pointsLedger } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'

type LedgerEntry = Omit<typeof pointsLedger.$inferInsert, 'id' | 'teamId' | 'delta' | 'createdAt'>

const param = placeholders(['teamId', 'teamIds', 'challengeId', 'submissionId', 'reason'])
/** The changes of a recalculation; `topRank` is set if the team entered the first three of the leaderboard. */
export interface Standing {
  delta: number
  topRank: number | null
}
export const UNCHANGED: Standing = { delta: 0, topRank: null }

// The first three before the statement, which does not see its own changes. Same expressions as the index `teams_ranked`.
const FIRST_THREE = sql`select id from teams where points > 0
  order by (-points), coalesce(points_reached_at, 'infinity'), name_key limit 3`
const updateStandingsOf = (teamIds: SQL) =>
  rawQuery<Standing>(sql`
    with best as (
      select team_id, challenge_id, max(points) as points from submissions
      where team_id = any(${teamIds}) and status = 'approved' group by team_id, challenge_id),
    standing as (
      select teams.id, teams.points as before, coalesce(sum(best.points), 0)::int as points, count(best.points)::int as completed
      from teams left join best on best.team_id = teams.id where teams.id = any(${teamIds}) group by teams.id),
    changed as (
      update teams set points = standing.points, challenges_completed = standing.completed, updated_at = clock_timestamp(),
        points_reached_at = case when standing.points = 0 then null
          when standing.points <> before then clock_timestamp() else points_reached_at end
      from standing where teams.id = standing.id returning teams.id, standing.points, standing.points - before as delta),
    ledger as (insert into points_ledger (team_id, challenge_id, submission_id, reason, delta)
    select id, ${param.challengeId}::uuid, ${param.submissionId}::uuid, ${param.reason}::points_reason, delta from changed)
    select delta, case when delta > 0 and id <> all(array(${FIRST_THREE})) then (
        select nullif(count(*)::int + 1, 4) from (
          select from teams other where (-other.points) <= (-changed.points) and other.id <> changed.id limit 3) ahead)
      end as "topRank" from changed`)
const standingsUpdate = prepared('submissions.recalculate-standings', updateStandingsOf(sql`${param.teamIds}::uuid[]`))
// One team has a statement of its own: for an array of unknown length PostgreSQL plans each execution.
const standingUpdate = prepared('submissions.recalculate-one', updateStandingsOf(sql`array[${param.teamId}::uuid]`))

/**
 * Recalculates the points and completed challenges of locked teams from their approved submissions (the contract's `standingOf`) and records
 * the differences in the ledger. Returns the sum of the differences in points.
 */
export async function recalculateStandings(tx: Tx, teamIds: string[], entry: LedgerEntry): Promise<number> {
  const changes = await standingsUpdate(tx, { teamIds, challengeId: null, submissionId: null, ...entry })
  return changes.reduce((sum, { delta }) => sum + delta, 0)
}

/** Like `recalculateStandings`, for one team. */
export async function recalculateStanding(
  tx: Tx,
  { teamId, ...entry }: LedgerEntry & { teamId: string },
): Promise<Standing> {
  const [standing = UNCHANGED] = await standingUpdate(tx, { teamId, challengeId: null, submissionId: null, ...entry })
  return standing
}
