import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** What is counted; `team_points` by the points themselves. */
export type Counted =
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
 * How many there are of what is too much to count at every reading: the sum of a name's rows. Triggers add a row to each change, in its
 * transaction, so that no two writers wait for one counter; housekeeping folds them together.
 */
export const counts = pgTable(
  'counts',
  {
    name: text().$type<Counted>().notNull(),
    key: integer().notNull().default(0),
    amount: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('counts_by_key').on(t.name, t.key, t.amount)],
)
