import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameCondition } from '../search/search-condition.ts'

/** Above this many matching names, so many submissions match that scanning fills a page quickly. */
const NAMES_MAX = 1000

/**
 * A condition on rows whose `column` references a row with a matching name; undefined if no name matches. Finds the ids first, because with
 * ids the planner can use an index, while an `or` of subqueries would scan all submissions.
 */
async function referenceCondition(
  db: Reader,
  column: SQLWrapper,
  table: typeof teams | typeof challenges | typeof users,
  key: string,
): Promise<SQL | undefined> {
  const ids = () => db.select({ id: table.id }).from(table).where(nameCondition(table.searchText, key))
  const matches = await ids().limit(NAMES_MAX + 1)
  if (matches.length === 0) return undefined
  if (matches.length > NAMES_MAX) return sql`${column} in (${ids()})`
  return sql`${column} = any(${sql.param(matches.map(({ id }) => id))}::uuid[])`
}
const orAll = async (conditions: Promise<SQL | undefined>[]): Promise<SQL | undefined> =>
  or(...(await Promise.all(conditions)))

/** Submissions whose team or challenge name matches; undefined if none does. */
export const findNameCondition = (db: Reader, key: string) =>
  orAll([
    referenceCondition(db, submissions.teamId, teams, key),
    referenceCondition(db, submissions.challengeId, challenges, key),
  ])
/** Also matches the submitter's name or email; only for administrators. */
export const findNameOrSubmitterCondition = (db: Reader, key: string) =>
  orAll([findNameCondition(db, key), referenceCondition(db, submissions.submittedBy, users, key)])
