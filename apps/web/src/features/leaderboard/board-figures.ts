import type { LeaderboardRow } from '@community/contract'

const sumOf = (rows: readonly LeaderboardRow[], figure: (row: LeaderboardRow) => number): number =>
  rows.reduce((sum, row) => sum + figure(row), 0)

/** What the rows of the board add up to. */
export function boardFigures(rows: readonly LeaderboardRow[]) {
  return {
    scoring: rows.filter((row) => row.points > 0).length,
    points: sumOf(rows, (row) => row.points),
    challengesCompleted: sumOf(rows, (row) => row.challengesCompleted),
  }
}

/** The row with the most of a figure; of equals the one that stands higher. Null when nobody has any. */
export function bestBy(
  rows: readonly LeaderboardRow[],
  figure: (row: LeaderboardRow) => number,
): LeaderboardRow | null {
  const best = rows.reduce<LeaderboardRow | null>(
    (leader, row) => (leader === null || figure(row) > figure(leader) ? row : leader),
    null,
  )
  return best && figure(best) > 0 ? best : null
}

/** Points for each completed challenge, rounded. */
export const pointsPerChallenge = (row: LeaderboardRow): number =>
  row.challengesCompleted === 0 ? 0 : Math.round(row.points / row.challengesCompleted)

export interface Gap {
  /** The team one place higher. */
  above: LeaderboardRow
  /** Points that are missing to stand beside it. */
  points: number
}

/** How far a team is from the next place; null for the first. */
export function gapAbove(rows: readonly LeaderboardRow[], id: string): Gap | null {
  const place = rows.findIndex((row) => row.id === id)
  const [above, row] = [rows[place - 1], rows[place]]
  return above && row ? { above, points: above.points - row.points } : null
}
