import type { contract, Output, Parsed, PointsHistory } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findPointsHistory } from './queries.ts'

type History = typeof contract.teams.pointsHistory

/** A line for each team asked for that is on the leaderboard; one that never had points has no days. */
export async function getPointsHistory({ db }: VisitorContext, { ids }: Parsed<History>): Promise<Output<History>> {
  const lines = new Map<string, PointsHistory>()
  for (const { id, name, day, points } of await findPointsHistory(db, ids)) {
    const line = lines.get(id) ?? { id, _id: id, name, points: [] }
    if (day !== null && points !== null) line.points.push({ day, points })
    lines.set(id, line)
  }
  return { history: [...lines.values()] }
}
