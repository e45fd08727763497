import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** Names of counts; the key of `team_points` is the number of points. */
export type CountName =
  | 'users_in_good_standing'
  | 'users_banned'
  | 'teams_active'
  | 'teams_inactive'
  | 'team_points'
  | 'submissions_pending'
  | 'submissions_approved'
  | 'submissions_rejected'
  | 'scores'

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
