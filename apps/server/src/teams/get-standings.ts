import { type contract, limits, type Output } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { findStandings } from './leaderboard-queries.ts'

/** The leaderboard ranks of the caller's teams. Sums teams with more points from `counts`, so that only ties are counted. */
export async function getStandings({
  db,
  user,
}: AuthenticatedContext): Promise<Output<typeof contract.teams.standings>> {
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
