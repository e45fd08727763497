import type { contract, Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findStandings } from './reading-store.ts'

const TEAMS_MAX = 100

/** Where the caller's teams stand. Teams with equal points share a rank; how many are ahead is counted, not read, so no size slows it. */
export async function getStandings({ db, user }: MemberContext): Promise<Output<typeof contract.teams.standings>> {
  const rows = await findStandings(db, user.id, TEAMS_MAX)
  return {
    standings: rows.map(({ ahead, level, ...team }) => ({ rank: ahead + 1, tied: level > 1, _id: team.id, ...team })),
  }
}
