import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** Counts with one total each: their key is 0. */
export const TOTALS = [
  'users_in_good_standing',
  'users_banned',
  'teams_active',
  'teams_inactive',
  'submissions_pending',
  'submissions_approved',
  'submissions_rejected',
  'scores',
  'warnings',
] as const
/** Counts per day: their key is the number of days from 1970-01-01 to the day, UTC. */
export type DailyCount = 'users_of_day' | 'submissions_of_day' | 'approvals_of_day' | 'points_of_day'

/**
 * Names of counts. The key of `team_points` is the number of points; that of `scores_of_challenge:<id>` is the tens of approved scores, 0
 * for 1 to 10.
 */
export type CountName = (typeof TOTALS)[number] | DailyCount | 'team_points' | `scores_of_challenge:${string}`

/**
 * Totals that are too expensive to count per request: the sum of a name's rows. Triggers insert a row per change, so that writers do not
 * wait for a shared counter row; housekeeping merges the rows.
 */
export const counts = pgTable(
  'counts',
  {
    name: text().$type<CountName>().notNull(),
    key: integer().notNull().default(0),
    amount: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('counts_by_key').on(t.name, t.key, t.amount)],
)
