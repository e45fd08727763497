import { sql } from 'drizzle-orm'

/** The time at which the statement runs. `now()` is the start of the transaction, which may have waited for a lock since. */
export const wallClock = sql`clock_timestamp()`
