import { submissions } from '@community/db/schema'
import { sql } from 'drizzle-orm'

// Literals rather than parameters: only then do they match the conditions of partial indexes.
export const approvedCondition = sql`${submissions.status} = 'approved'`
export const pendingCondition = sql`${submissions.status} = 'pending'`
/** A submission that uses one of its team's slots: a rejected one frees it. */
export const slotCondition = sql`${submissions.status} in ('pending', 'approved')`
