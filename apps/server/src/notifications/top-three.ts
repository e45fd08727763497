import { prepared, rawQuery, type Tx } from '@community/db'
import { teamMembers, teams } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import { insertWithMails, valuesOf } from './commands.ts'

const ID = sql.placeholder('rankedId')
// Written like the index `teams_ranked`: three rows are read, however many teams there are.
const TOP_THREE = sql`(select id, row_number() over () as rank from (
  select id from ${teams} where points > 0
  order by (-points), coalesce(points_reached_at, 'infinity'), name_key limit 3) as ranked)`

const topRank = prepared(
  'notifications.top-rank',
  rawQuery<{ rank: number }>(sql`select rank::int from ${TOP_THREE} as top where id = ${ID}::uuid`),
)
const insertForRanked = prepared(
  'notifications.insert-for-top-three',
  rawQuery(
    insertWithMails(
      sql`(select user_id, rank from ${teamMembers}, ${TOP_THREE} as top where team_id = ${ID}::uuid and top.id = ${ID}::uuid)`,
      sql`jsonb_build_object('rank', wanted.rank)`,
    ),
  ),
)

/** Whether a team is among the first three of the leaderboard. */
export const isInTopThree = async (tx: Tx, teamId: string): Promise<boolean> =>
  (await topRank(tx, { rankedId: teamId })).length > 0

/** Notifies a team that was not among the first three and is now. */
export async function notifyTopThree(
  tx: Tx,
  team: { id: string; name: string },
  { wasInTopThree, actorId }: { wasInTopThree: boolean; actorId: string },
): Promise<void> {
  if (wasInTopThree) return
  const about = {
    kind: 'team.top-three',
    params: { team: team.name, teamId: team.id, rank: 0 },
    teamId: team.id,
    actorId,
  }
  await insertForRanked(tx, { ...valuesOf(about as never), rankedId: team.id })
}
