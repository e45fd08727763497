import type { contract, PointsHistory } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findPointsHistory } from './leaderboard-queries.ts'

/** Points over time of the requested teams on the leaderboard; empty for a team that never had points. */
export const getPointsHistory: UseCase<typeof contract.teams.pointsHistory> = async ({ db }, { ids }) => {
  const histories = new Map<string, PointsHistory>()
  for (const { id, name, day, points } of await findPointsHistory(db, ids)) {
    const history = histories.get(id) ?? { id, _id: id, name, points: [] }
    if (day !== null && points !== null) history.points.push({ day, points })
    histories.set(id, history)
  }
  return { history: [...histories.values()] }
}
