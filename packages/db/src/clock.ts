import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The time at which the statement runs. `now()` is the start of the transaction, which may have waited for a lock since. */
export const wallClock = sql`clock_timestamp()`

/** Seconds from the start of the transaction to a time, rounded up; at least `min`. */
export const secondsUntil = (time: SQLWrapper, min: 0 | 1 = 1): SQL<number> =>
  sql`greatest(${sql.raw(String(min))}, ceil(extract(epoch from ${time} - now())))::int`

/** A time as ISO 8601 text in UTC, with milliseconds: for statements whose rows are not decoded. */
export const isoText = (time: SQLWrapper): SQL =>
  sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
