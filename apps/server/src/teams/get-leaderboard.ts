import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findLeaders } from './queries.ts'

type Leaderboard = typeof contract.teams.leaderboard

/**
 * Teams by points, then by who reached them first, then by name; a rank is a place in that order, so no two are equal.
 * Inactive teams keep the places their points earned; of the teams without points only active ones follow.
 */
export async function getLeaderboard(
  { db }: VisitorContext,
  { limit }: Parsed<Leaderboard>,
): Promise<Output<Leaderboard>> {
  const rows = await findLeaders(db, limit)
  return { leaderboard: rows.map((row, place) => ({ rank: place + 1, _id: row.id, ...row })) }
}
