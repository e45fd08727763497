import type { contract, Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findStandings } from './queries.ts'

const TEAMS_MAX = 100

/** The leaderboard ranks of the caller's teams. Sums teams with more points from `counts`, so that only ties are counted. */
export async function getStandings({ db, user }: MemberContext): Promise<Output<typeof contract.teams.standings>> {
  const rows = await findStandings(db, user.id, TEAMS_MAX)
  return {
    standings: rows.map(({ ahead, aheadOfEquals, level, ...team }) => ({
      rank: ahead + aheadOfEquals + 1,
      tied: level > 1,
      _id: team.id,
      ...team,
    })),
  }
}
