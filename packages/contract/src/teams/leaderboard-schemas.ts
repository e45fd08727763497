import { z } from 'zod'
import { HISTORY_TEAMS_MAX } from '../limits.ts'
import { Count, Id, ids } from '../primitives.ts'

export const LeaderboardRow = z
  .object({
    rank: Count.describe('Unique position on the leaderboard'),
    ...ids,
    name: z.string(),
    challengesCompleted: Count,
    points: Count,
  })
  .meta({ id: 'LeaderboardRow' })
export type LeaderboardRow = z.output<typeof LeaderboardRow>

export const Standing = z
  .object({
    rank: Count.describe('Unique position on the leaderboard'),
    tied: z.boolean().describe('Another team has the same number of points'),
    ...ids,
    name: z.string(),
    challengesCompleted: Count,
    points: Count,
    teamsWithPoints: Count,
    teamAbove: z
      .object({ ...ids, name: z.string(), points: Count })
      .nullable()
      .describe('The next team with more points; null if none has more'),
  })
  .meta({ id: 'Standing' })
export type Standing = z.output<typeof Standing>

const WRONG_IDS = `Must be 1 to ${HISTORY_TEAMS_MAX} team ids, separated by commas`
export const TeamIds = z.array(Id, WRONG_IDS).min(1, WRONG_IDS).max(HISTORY_TEAMS_MAX, WRONG_IDS)

export const PointsHistory = z
  .object({
    ...ids,
    name: z.string(),
    points: z
      .array(z.object({ day: z.iso.date(), points: Count }))
      .describe('The total at the end of each day (UTC) on which it changed, oldest first'),
  })
  .meta({ id: 'PointsHistory' })
export type PointsHistory = z.output<typeof PointsHistory>
