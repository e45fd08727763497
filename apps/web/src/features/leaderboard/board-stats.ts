import type { LeaderboardRow } from '@community/contract'

/** Do two neighbours of rows in the order of their points have as many? */
export const hasTies = (rows: readonly Pick<LeaderboardRow, 'points'>[]): boolean =>
  rows.some(({ points }, index) => rows[index + 1]?.points === points)

const sumOf = (rows: readonly LeaderboardRow[], valueOf: (row: LeaderboardRow) => number): number =>
  rows.reduce((sum, row) => sum + valueOf(row), 0)

/** What the rows of the board add up to. */
export function boardStats(rows: readonly LeaderboardRow[]) {
  return {
    scoring: rows.filter((row) => row.points > 0).length,
    points: sumOf(rows, (row) => row.points),
    challengesCompleted: sumOf(rows, (row) => row.challengesCompleted),
    highest: rows[0]?.points ?? 0,
  }
}

/** The row with the most of a figure; of equals the one that stands higher. Null when nobody has any. */
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

/** Points for each completed challenge, rounded. */
export const pointsPerChallenge = ({
  points,
  challengesCompleted,
}: Pick<LeaderboardRow, 'points' | 'challengesCompleted'>): number =>
  challengesCompleted === 0 ? 0 : Math.round(points / challengesCompleted)

export interface Gap {
  /** The nearest team of the rows that has more points. */
  above: LeaderboardRow
  /** Points that are missing to stand beside it. */
  points: number
}

/** How far somebody with these points is from the next better team of the rows; null when none is better. */
export function gapAbove(rows: readonly LeaderboardRow[], points: number): Gap | null {
  const above = rows.findLast((row) => row.points > points)
  return above ? { above, points: above.points - points } : null
}
