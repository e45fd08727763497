import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameMatches } from '../search/search-condition.ts'

/** Above this many matching names, so many submissions match that scanning fills a page quickly. */
const NAMES_MAX = 1000

/**
 * A condition on rows whose `column` references a row with a matching name; undefined if no name matches. Finds the ids first, because with
 * ids the planner can use an index, while an `or` of subqueries would scan all submissions.
 */
async function refersTo(
  db: Reader,
  column: SQLWrapper,
  named: typeof teams | typeof challenges | typeof users,
  wanted: string,
): Promise<SQL | undefined> {
  const ids = () => db.select({ id: named.id }).from(named).where(nameMatches(named.searchText, wanted))
  const found = await ids().limit(NAMES_MAX + 1)
  if (found.length === 0) return undefined
  if (found.length > NAMES_MAX) return sql`${column} in (${ids()})`
  return sql`${column} = any(${sql.param(found.map(({ id }) => id))}::uuid[])`
}
const anyOf = async (found: Promise<SQL | undefined>[]): Promise<SQL | undefined> => or(...(await Promise.all(found)))

/** Submissions whose team or challenge name matches; undefined if none does. */
export const namedLike = (db: Reader, wanted: string) =>
  anyOf([refersTo(db, submissions.teamId, teams, wanted), refersTo(db, submissions.challengeId, challenges, wanted)])
/** Also matches the submitter's name or e-mail address; only for administrators. */
export const namedOrSubmittedLike = (db: Reader, wanted: string) =>
  anyOf([namedLike(db, wanted), refersTo(db, submissions.submittedBy, users, wanted)])
