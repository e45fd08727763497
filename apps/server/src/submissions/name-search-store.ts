import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { and, inArray, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { anywhere } from '../like-pattern.ts'

/** The first line of a search text is the name; the whole of it is what the index knows. */
const nameLike = (searchText: SQLWrapper, wanted: string): SQL | undefined => {
  const pattern = anywhere(wanted)
  return and(sql`${searchText} like ${pattern}`, like(sql`split_part(${searchText}, chr(10), 1)`, pattern))
}
/** Whose team or challenge is named so. */
export const namedLike = (db: Reader, wanted: string) => [
  inArray(submissions.teamId, db.select({ id: teams.id }).from(teams).where(nameLike(teams.searchText, wanted))),
  inArray(
    submissions.challengeId,
    db.select({ id: challenges.id }).from(challenges).where(nameLike(challenges.searchText, wanted)),
  ),
]
/** Handed in by somebody with such a name or, since only administrators ask, such an address. */
export const submittedLike = (db: Reader, wanted: string) =>
  inArray(submissions.submittedBy, db.select({ id: users.id }).from(users).where(nameLike(users.searchText, wanted)))
