import { z } from 'zod'
import { HISTORY_TEAMS_MAX } from '../limits.ts'
import { Id, ids } from '../primitives.ts'

export const LeaderboardRow = z
  .object({
    rank: z.int().describe('Unique position on the leaderboard'),
    ...ids,
    name: z.string(),
    challengesCompleted: z.int(),
    points: z.int(),
  })
  .meta({ id: 'LeaderboardRow' })
export type LeaderboardRow = z.output<typeof LeaderboardRow>

export const Standing = z
  .object({
    rank: z.int().describe('Unique position on the leaderboard'),
    tied: z.boolean().describe('Another team has the same number of points'),
    ...ids,
    name: z.string(),
    challengesCompleted: z.int(),
    points: z.int(),
    teamsWithPoints: z.int(),
  })
  .meta({ id: 'Standing' })
export type Standing = z.output<typeof Standing>

const WRONG_IDS = `Must be 1 to ${HISTORY_TEAMS_MAX} team ids, separated by commas`
/** A comma-separated list in a query string. */
export const TeamIds = z
  .string(WRONG_IDS)
  .transform((list) => list.split(','))
  .pipe(z.array(Id).min(1, WRONG_IDS).max(HISTORY_TEAMS_MAX, WRONG_IDS))

export const PointsHistory = z
  .object({
    ...ids,
    name: z.string(),
    points: z
      .array(z.object({ day: z.iso.date(), points: z.int() }))
      .describe('The total at the end of each day (UTC) on which it changed, oldest first'),
  })
  .meta({ id: 'PointsHistory' })
export type PointsHistory = z.output<typeof PointsHistory>
