import { limits } from '@community/contract'
import { and, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Where words end: as in the SQL function `word_starts`. */
const SEPARATOR =
  /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4\u2000-\u206f\u3000-\u303f]/

/** Is it so short that it matches the beginnings of words? Signs such as `c#` are no word: they are found anywhere. */
export const isWordStart = (wanted: string): boolean =>
  Array.from(wanted).length <= limits.SEARCH_PREFIX_LETTERS && !SEPARATOR.test(wanted)

/** A pattern for `like` that finds a text anywhere, its own wildcards meant as they stand. */
const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** `word_starts` marks those of the first line, a name. */
const startOfName = (wanted: string): string => `^${wanted}`

/** Does a folded text match? `wanted` is folded by the contract's `searchKey`, and not empty. */
export const textMatches = (searchText: SQLWrapper, wanted: string): SQL =>
  isWordStart(wanted)
    ? sql`word_starts(${searchText}) && array[${wanted}, ${startOfName(wanted)}]::text[]`
    : like(sql`${searchText}`, anywhere(wanted))

/** Does the first line of a folded text match, which is a name? */
export function nameMatches(searchText: SQLWrapper, wanted: string): SQL | undefined {
  if (isWordStart(wanted)) return sql`word_starts(${searchText}) @> array[${startOfName(wanted)}]::text[]`
  const pattern = anywhere(wanted)
  // The index knows the whole text.
  return and(like(sql`${searchText}`, pattern), like(sql`split_part(${searchText}, chr(10), 1)`, pattern))
}
