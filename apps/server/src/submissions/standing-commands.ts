import { placeholders, prepared, rawQuery, type Tx } from '@community/db'
import type { pointsLedger } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'

type LedgerEntry = Omit<typeof pointsLedger.$inferInsert, 'id' | 'teamId' | 'delta' | 'createdAt'>

const param = placeholders(['teamId', 'teamIds', 'challengeId', 'submissionId', 'reason'])
/** What a recalculation changed. */
interface StandingChange {
  /** In points. */
  delta: number
  /** 1 to 3 if the team newly entered the top three of the leaderboard; null otherwise, also if it only regained points after a reset. */
  topRank: number | null
}
export const UNCHANGED: StandingChange = { delta: 0, topRank: null }
interface TeamStandingChange extends StandingChange {
  teamId: string
}

// The first three before the statement, which does not see its own changes. Same expressions as the index `teams_ranked`.
const FIRST_THREE = sql`select id from teams where points > 0
  order by (-points), coalesce(points_reached_at, 'infinity'), name_key limit 3`
/** The number of teams ahead, at most 3: only the first ranks matter. */
const countAheadUpToThree = (isAhead: SQL) =>
  sql`(select count(*)::int from (select 1 from teams other where ${isAhead} and other.id <> changed.id limit 3) ahead)`

/**
 * The time since which a team has had at least its new points: selected from the team's ledger and the entry that the statement is about
 * to insert, which has the id null and so sorts last. A reset and the next award of the same submission are counted as one change, at the
 * time of the reset if points were lost: -100 and +70 as -30 and 0. Resets before the submission's last resubmission are counted as they
 * are. Requires `standing` of `updateStandingsOf`.
 */
const REACHED_AT = sql`
  select created_at from (
    select id, created_at, min(total) over (order by id desc) as lowest_from_here_on from (
      select id, created_at, sum(change) over (order by id) as total from (
        select id, created_at, case
          when taken_back < 0 then least(0, delta + greatest(0, next_delta))
          when delta > 0 then greatest(0, delta + least(0, taken_back_before))
          else delta end as change
        from (
          select *, lead(delta) over of_submission as next_delta, lag(taken_back) over of_submission as taken_back_before from (
            select entries.*, case when reason = 'reset' and submissions.id is not null
              and entries.created_at > coalesce(submissions.resubmitted_at, '-infinity') then delta else 0 end as taken_back
            from (
              select id, submission_id, reason, delta, created_at from points_ledger where team_id = standing.id
              union all
              select null, ${param.submissionId}::uuid, ${param.reason}::points_reason, standing.points - standing.before, standing.changed_at
            ) entries left join submissions on submissions.id = entries.submission_id
          ) revocations window of_submission as (partition by submission_id order by id)
        ) neighbours
      ) changes
    ) totals
  ) lows where lowest_from_here_on >= standing.points order by id limit 1`

// `REACHED_AT` reads the whole ledger of the team, so it is used only if points decrease or an award follows a reset of the submission.
// `taken_back` is the change of the submission's last reset since its last resubmission: negative, or 0 without one.
// `topRank` after a reset: the team was outside the top three before it only if three teams had more points than it had then. Now teams
// with as many points are ahead as well, because they reached them earlier.
const updateStandingsOf = (teamIds: SQL) =>
  rawQuery<TeamStandingChange>(sql`
    with best as (
      select team_id, challenge_id, max(points) as points from submissions
      where team_id = any(${teamIds}) and status = 'approved' group by team_id, challenge_id),
    standing as (
      select teams.id, teams.points as before, coalesce(sum(best.points), 0)::int as points, count(best.points)::int as completed,
        clock_timestamp() as changed_at,
        coalesce((select (array_agg(delta order by points_ledger.id desc))[1] from points_ledger
          join submissions on submissions.id = submission_id
          where submission_id = ${param.submissionId}::uuid and reason = 'reset'
            and points_ledger.created_at > coalesce(resubmitted_at, '-infinity')), 0) as taken_back
      from teams left join best on best.team_id = teams.id where teams.id = any(${teamIds}) group by teams.id),
    changed as (
      update teams set points = standing.points, challenges_completed = standing.completed, updated_at = standing.changed_at,
        points_reached_at = case when standing.points = 0 then null
          when standing.points = before then points_reached_at
          when standing.points > before and taken_back = 0 then standing.changed_at
          else coalesce((${REACHED_AT}), standing.changed_at) end
      from standing where teams.id = standing.id
      returning teams.id, standing.points, standing.points - before as delta, before - taken_back as restored, taken_back, standing.changed_at),
    ledger as (insert into points_ledger (team_id, challenge_id, submission_id, reason, delta, created_at)
    select id, ${param.challengeId}::uuid, ${param.submissionId}::uuid, ${param.reason}::points_reason, delta, changed_at from changed)
    select id as "teamId", delta, case when delta > 0 and id <> all(array(${FIRST_THREE}))
        and (taken_back = 0 or ${countAheadUpToThree(sql`(-other.points) < (-least(changed.points, restored))`)} = 3)
      then nullif(${countAheadUpToThree(sql`(-other.points) <= (-changed.points)`)} + 1, 4) end as "topRank" from changed`)
const standingsUpdate = prepared('submissions.recalculate-standings', updateStandingsOf(sql`${param.teamIds}::uuid[]`))
// One team has a statement of its own: for an array of unknown length PostgreSQL plans each execution.
const standingUpdate = prepared('submissions.recalculate-one', updateStandingsOf(sql`array[${param.teamId}::uuid]`))

/**
 * Recalculates the points and completed challenges of locked teams from their approved submissions (the contract's `standingOf`) and records
 * the differences in the ledger. Returns one change per team, in no order.
 */
export const recalculateStandings = (tx: Tx, teamIds: string[], entry: LedgerEntry): Promise<TeamStandingChange[]> =>
  standingsUpdate(tx, { teamIds, challengeId: null, submissionId: null, ...entry })

/** Like `recalculateStandings`, for one team. */
export async function recalculateStanding(
  tx: Tx,
  { teamId, ...entry }: LedgerEntry & { teamId: string },
): Promise<StandingChange> {
  const [standing = UNCHANGED] = await standingUpdate(tx, { teamId, challengeId: null, submissionId: null, ...entry })
  return standing
}
