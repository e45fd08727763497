import { limits } from '@community/contract'
import { and, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Characters between words, as in the SQL function `word_starts`. */
const WORD_SEPARATOR =
  /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4\u2000-\u206f\u3000-\u303f]/

/** Whether a short text matches word prefixes only. Text with separators, such as `c#`, matches anywhere. */
export const matchesWordStarts = (key: string): boolean =>
  Array.from(key).length <= limits.SEARCH_PREFIX_LETTERS && !WORD_SEPARATOR.test(key)

/** A `like` pattern that matches the text anywhere, with its wildcards escaped. */
const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** `word_starts` prefixes the words of the first line (the name) with `^`. */
const nameStart = (key: string): string => `^${key}`

/** Matches a normalised text column. `key` must come from the contract's `searchKey` and not be empty. */
export const textCondition = (searchText: SQLWrapper, key: string): SQL =>
  matchesWordStarts(key)
    ? sql`word_starts(${searchText}) && array[${key}, ${nameStart(key)}]::text[]`
    : like(sql`${searchText}`, containsPattern(key))

/** Matches only the first line of a normalised text column, which is the name. */
export function nameCondition(searchText: SQLWrapper, key: string): SQL | undefined {
  if (matchesWordStarts(key)) return sql`word_starts(${searchText}) @> array[${nameStart(key)}]::text[]`
  const pattern = containsPattern(key)
  // The first condition uses the index on the whole text.
  return and(like(sql`${searchText}`, pattern), nameMatchCondition(searchText, key))
}

/** Like `nameCondition`, for rows already selected by another condition: needs no index. */
export function nameMatchCondition(searchText: SQLWrapper, key: string): SQL {
  const name = sql`split_part(${searchText}, chr(10), 1)`
  // A short key has no separators, and so nothing that a regular expression would interpret.
  if (matchesWordStarts(key)) return sql`${name} ~ ${`(^|${WORD_SEPARATOR.source})${key}`}`
  // Not `like`: the planner assumes that it matches one name in 120, and reads an index even where all match.
  return sql`strpos(${name}, ${key}) > 0`
}
