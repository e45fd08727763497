import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'

/** Validates cursor values, in the text form of `keyToText`, before they become parameters. */
export const KEY_SCHEMAS = {
  // A team name of forty ligatures normalises to 720 letters.
  text: z.string().regex(/^[^\0]{0,1000}$/),
  uuid: z.uuid(),
  bigint: z.string().regex(/^-?\d{1,15}$/),
  boolean: z.enum(['true', 'false']),
  // PostgreSQL has no year 0 and microsecond precision.
  timestamptz: z.literal('infinity').or(z.iso.datetime().regex(/^(?!0000).{19}(\.\d{1,6})?Z$/)),
}

type Direction = 'asc' | 'desc' | 'asc nulls first' | 'desc nulls last'

/**
 * An expression to sort by, which is never null. PostgreSQL uses an index only for exactly its direction: Drizzle creates an index with
 * `.desc()` as `desc nulls last`, whereas `desc` in a query means `desc nulls first`.
 */
export interface SortKey {
  expression: SQLWrapper
  type: keyof typeof KEY_SCHEMAS
  direction?: Direction
}

/** The sort order of a list, for queries and cursors. */
export interface ListOrder {
  name: string
  keys: readonly SortKey[]
  orderBy: SQL[]
  /** The row's sort values as a JSON array, for the cursor: select it as `key`. A text, because only that of the last row is parsed. */
  key: SQL.Aliased<string>
}

/** A key's value as text with full precision, independent of the session's time zone and DateStyle. */
const keyToText = ({ expression, type }: SortKey): SQL =>
  type === 'timestamptz'
    ? sql`coalesce(to_char((${expression}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'infinity')`
    : sql`(${expression})::text`

/**
 * Defines the sort order of a list. The last key must be unique, so that no two pages share a row. `name` is part of the cursor, so that
 * cursors of other lists are rejected. If all keys have one direction, an index scan starts at the cursor; otherwise ties of the first keys
 * are scanned.
 */
export function listOrder(name: string, keys: readonly SortKey[]): ListOrder {
  return {
    name,
    keys,
    orderBy: keys.map(({ expression, direction = 'asc' }) => sql`${expression} ${sql.raw(direction)}`),
    key: sql<string>`json_build_array(${sql.join(keys.map(keyToText), sql`, `)})::text`.as('key'),
  }
}
