import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findLeaders } from './queries.ts'

type Leaderboard = typeof contract.teams.leaderboard

/** The leaderboard. Ranks are unique. Inactive teams keep the rank of their points; of teams without points only active ones are listed. */
export async function getLeaderboard(
  { db }: VisitorContext,
  { limit }: Parsed<Leaderboard>,
): Promise<Output<Leaderboard>> {
  const rows = await findLeaders(db, limit)
  return { leaderboard: rows.map((row, place) => ({ rank: place + 1, _id: row.id, ...row })) }
}
