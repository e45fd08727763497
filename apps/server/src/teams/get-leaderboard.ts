import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { findLeaderboard } from './queries.ts'

type LeaderboardRoute = typeof contract.teams.leaderboard

/** The leaderboard. Ranks are unique. Inactive teams keep the rank of their points; of teams without points only active ones are listed. */
export async function getLeaderboard(
  { db }: Context,
  { limit }: ParsedInput<LeaderboardRoute>,
): Promise<Output<LeaderboardRoute>> {
  const rows = await findLeaderboard(db, limit)
  return { leaderboard: rows.map((row, index) => ({ rank: index + 1, _id: row.id, ...row })) }
}
