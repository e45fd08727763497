import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameMatches } from '../search/search-condition.ts'

/** Beyond so many names so much work matches that a page is soon full, whatever it is found by. */
const NAMES_MAX = 1000

/**
 * Rows whose `column` refers to something named so; undefined where nothing is. The names are looked up first: with their ids the
 * planner enters an index, while an `or` of subqueries would read every submission.
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

/** Whose team or challenge is named so; undefined where none is. */
export const namedLike = (db: Reader, wanted: string) =>
  anyOf([refersTo(db, submissions.teamId, teams, wanted), refersTo(db, submissions.challengeId, challenges, wanted)])
/** The same, or handed in by somebody with such a name or, since only administrators ask, such an address. */
export const namedOrSubmittedLike = (db: Reader, wanted: string) =>
  anyOf([namedLike(db, wanted), refersTo(db, submissions.submittedBy, users, wanted)])
