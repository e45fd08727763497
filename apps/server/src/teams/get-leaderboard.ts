import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findLeaderboard } from './leaderboard-queries.ts'

/** The leaderboard. Ranks are unique. Inactive teams keep the rank of their points; of teams without points only active ones are listed. */
export const getLeaderboard: UseCase<typeof contract.teams.leaderboard> = async ({ db }, input) => {
  const page = await findLeaderboard(db, input)
  const firstRank = (page.rows[0]?.teamsAhead ?? 0) + 1
  return {
    leaderboard: page.rows.map(({ teamsAhead: _teamsAhead, ...row }, index) => ({
      rank: firstRank + index,
      _id: row.id,
      ...row,
    })),
    pagination: toPagination(input, page),
  }
}
