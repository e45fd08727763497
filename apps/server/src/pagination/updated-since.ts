import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The condition of a list's `updatedSince`; undefined without one. */
export const updatedSinceCondition = (updatedAt: SQLWrapper, since: string | undefined): SQL | undefined =>
  since === undefined ? undefined : sql`${updatedAt} >= ${since}::text::timestamptz`
