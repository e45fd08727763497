import type { contract, Output, Parsed, PointsHistory } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findPointsHistory } from './queries.ts'

type History = typeof contract.teams.pointsHistory

/** Points over time of the requested teams on the leaderboard; empty for a team that never had points. */
export async function getPointsHistory({ db }: VisitorContext, { ids }: Parsed<History>): Promise<Output<History>> {
  const lines = new Map<string, PointsHistory>()
  for (const { id, name, day, points } of await findPointsHistory(db, ids)) {
    const line = lines.get(id) ?? { id, _id: id, name, points: [] }
    if (day !== null && points !== null) line.points.push({ day, points })
    lines.set(id, line)
  }
  return { history: [...lines.values()] }
}
