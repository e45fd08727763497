import type { LeaderboardRow, Standing } from '@community/contract'

/** Whether any teams with points are tied: those without are ordered by name. Expects the rows sorted by points. */
export const hasTies = (rows: readonly Pick<LeaderboardRow, 'points'>[]): boolean =>
  rows.some(({ points }, index) => points > 0 && rows[index + 1]?.points === points)

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
  /** The name of the next better team. */
  team: string
  /** The points needed to draw level with it. */
  points: number
}

/** The gap from a team to the next better one; null when none is better. */
export const gapAbove = ({ teamAbove, points }: Standing): Gap | null =>
  teamAbove && { team: teamAbove.name, points: teamAbove.points - points }
