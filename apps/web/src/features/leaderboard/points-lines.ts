import type { LeaderboardRow, PointsHistory, Standing } from '@community/contract'
import { HISTORY_TEAMS_MAX } from '@community/contract/limits'

const LEADERS = 5
const DAY_MS = 86_400_000

/** The teams in the chart: the first five, then the user's own, up to the limit of one request. */
export function chartTeams(rows: readonly LeaderboardRow[], standings: readonly Standing[]): string[] {
  const leaders = rows.filter((row) => row.points > 0).slice(0, LEADERS)
  const own = standings.filter((team) => team.points > 0)
  const ids = new Set([...leaders, ...own].map((team) => team.id))
  return [...ids].slice(0, HISTORY_TEAMS_MAX)
}

export interface PointsLine {
  id: string
  name: string
  /** `at`: the start of the day, milliseconds UTC. */
  steps: { at: number; value: number }[]
}

/** The response as lines, without teams that never had points. */
export const pointsLines = (history: readonly PointsHistory[]): PointsLine[] =>
  history
    .filter(({ points }) => points.length > 0)
    .map(({ id, name, points }) => ({
      id,
      name,
      steps: points.map(({ day, points: value }) => ({ at: Date.parse(day), value })),
    }))

/** From the day before the first change, so that its rise is visible, until today. */
export function timeSpan(lines: readonly PointsLine[], now: Date): { from: number; until: number } {
  const times = lines.flatMap(({ steps }) => steps.map(({ at }) => at))
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return { from: Math.min(today, ...times) - DAY_MS, until: Math.max(today, ...times) }
}

/** Every day on which a line changed, oldest first. */
export const daysOfChange = (lines: readonly PointsLine[]): number[] =>
  [...new Set(lines.flatMap(({ steps }) => steps.map(({ at }) => at)))].toSorted((a, b) => a - b)
