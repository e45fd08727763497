import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PageInput } from './keyset.ts'

/** The fields of `PageSince` in the contract. */
export interface PageSinceInput extends PageInput {
  updatedSince?: string | undefined
}

/** The condition of a list's `updatedSince`, inclusive. `since` is an ISO time, or its placeholder in a prepared statement; null matches every row. */
export const updatedSinceCondition = (updatedAt: SQLWrapper, since: string | null | Placeholder): SQL =>
  sql`(${since}::text is null or ${updatedAt} >= ${since}::text::timestamptz)`
