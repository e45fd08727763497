import { type contract, limits } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findStandings } from './leaderboard-queries.ts'

/** The leaderboard ranks of the caller's teams. Sums teams with more points from `counts`, so that only ties are counted. */
export const getStandings: UseCase<typeof contract.teams.standings> = async ({ db, user }) => {
  const rows = await findStandings(db, user.id, limits.STANDINGS_MAX)
  return {
    standings: rows.map(({ teamsAhead, tiedTeamsAhead, teamsWithSamePoints, teamAbove, ...team }) => ({
      rank: teamsAhead + tiedTeamsAhead + 1,
      tied: teamsWithSamePoints > 1,
      _id: team.id,
      ...team,
      teamAbove: teamAbove && { ...teamAbove, _id: teamAbove.id },
    })),
  }
}
