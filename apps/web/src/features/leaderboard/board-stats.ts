import type { LeaderboardRow } from '@community/contract'

/** Whether any teams are tied. Expects the rows sorted by points. */
export const hasTies = (rows: readonly Pick<LeaderboardRow, 'points'>[]): boolean =>
  rows.some(({ points }, index) => rows[index + 1]?.points === points)

const sumOf = (rows: readonly LeaderboardRow[], valueOf: (row: LeaderboardRow) => number): number =>
  rows.reduce((sum, row) => sum + valueOf(row), 0)

/** The totals of the board's rows. */
export function boardStats(rows: readonly LeaderboardRow[]) {
  return {
    scoring: rows.filter((row) => row.points > 0).length,
    points: sumOf(rows, (row) => row.points),
    challengesCompleted: sumOf(rows, (row) => row.challengesCompleted),
    highest: rows[0]?.points ?? 0,
  }
}

/** The row with the highest value, the first one of equals. Null when all values are 0. */
export function bestBy(
  rows: readonly LeaderboardRow[],
  valueOf: (row: LeaderboardRow) => number,
): LeaderboardRow | null {
  const best = rows.reduce<LeaderboardRow | null>(
    (leader, row) => (leader === null || valueOf(row) > valueOf(leader) ? row : leader),
    null,
  )
  return best && valueOf(best) > 0 ? best : null
}

/** Average points per completed challenge, rounded. */
export const pointsPerChallenge = ({
  points,
  challengesCompleted,
}: Pick<LeaderboardRow, 'points' | 'challengesCompleted'>): number =>
  challengesCompleted === 0 ? 0 : Math.round(points / challengesCompleted)

export interface Gap {
  /** The next better team. */
  above: LeaderboardRow
  /** The points needed to draw level with it. */
  points: number
}

/** The gap from these points to the next better team; null when none is better. */
export function gapAbove(rows: readonly LeaderboardRow[], points: number): Gap | null {
  const above = rows.findLast((row) => row.points > points)
  return above ? { above, points: above.points - points } : null
}
