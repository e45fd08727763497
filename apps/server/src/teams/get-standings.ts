import type { contract, Output } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { findStandings } from './leaderboard-queries.ts'

const TEAMS_MAX = 100

/** The leaderboard ranks of the caller's teams. Sums teams with more points from `counts`, so that only ties are counted. */
export async function getStandings({
  db,
  user,
}: AuthenticatedContext): Promise<Output<typeof contract.teams.standings>> {
  const rows = await findStandings(db, user.id, TEAMS_MAX)
  return {
    standings: rows.map(({ teamsAhead, tiedTeamsAhead, teamsWithSamePoints, ...team }) => ({
      rank: teamsAhead + tiedTeamsAhead + 1,
      tied: teamsWithSamePoints > 1,
      _id: team.id,
      ...team,
    })),
  }
}
