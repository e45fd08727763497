import { challenges } from '@community/db/schema'
import { sql } from 'drizzle-orm'

/** Columns that stay equal until a writing transaction ends, in any process, or a challenge's deadline passes. */
export const versionColumns = {
  snapshot: sql<string>`pg_current_snapshot()::text`,
  nextDeadline: sql<string | null>`(
        select min(${challenges.deadline}) from ${challenges} where ${challenges.isActive} and ${challenges.deadline} > now())::text`,
}
