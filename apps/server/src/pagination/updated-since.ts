import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PageInput } from './keyset.ts'

/** The fields of `PageSince` in the contract. */
export interface PageSinceInput extends PageInput {
  updatedSince?: string | undefined
}

/** The SQL condition that a row was updated at or after `since`: an ISO time, or a placeholder for one. If it is null, every row matches. */
export const updatedSinceCondition = (updatedAt: SQLWrapper, since: string | null | Placeholder): SQL =>
  sql`(${since}::text is null or ${updatedAt} >= ${since}::text::timestamptz)`
