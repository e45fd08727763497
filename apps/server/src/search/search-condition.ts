import { limits } from '@community/contract'
import { and, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Characters between words, as in the SQL function `word_starts`. */
const SEPARATOR =
  /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4\u2000-\u206f\u3000-\u303f]/

/** Whether a short text matches word prefixes only. Text with separators, such as `c#`, matches anywhere. */
export const isWordStart = (wanted: string): boolean =>
  Array.from(wanted).length <= limits.SEARCH_PREFIX_LETTERS && !SEPARATOR.test(wanted)

/** A `like` pattern that matches the text anywhere, with its wildcards escaped. */
const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** `word_starts` prefixes the words of the first line (the name) with `^`. */
const startOfName = (wanted: string): string => `^${wanted}`

/** Matches a normalised text column. `key` must come from the contract's `searchKey` and not be empty. */
export const textMatches = (searchText: SQLWrapper, wanted: string): SQL =>
  isWordStart(wanted)
    ? sql`word_starts(${searchText}) && array[${wanted}, ${startOfName(wanted)}]::text[]`
    : like(sql`${searchText}`, anywhere(wanted))

/** Matches only the first line of a normalised text column, which is the name. */
export function nameMatches(searchText: SQLWrapper, wanted: string): SQL | undefined {
  if (isWordStart(wanted)) return sql`word_starts(${searchText}) @> array[${startOfName(wanted)}]::text[]`
  const pattern = anywhere(wanted)
  // The first condition uses the index on the whole text.
  return and(like(sql`${searchText}`, pattern), like(sql`split_part(${searchText}, chr(10), 1)`, pattern))
}
