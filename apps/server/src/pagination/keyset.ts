import { appErrors, limits, type Pagination, withMessage } from '@community/contract'
import { type Preparable, type Reader, prepared, type Values } from '@community/db'
import type { challenges, submissions, teams } from '@community/db/schema'
import { and, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../errors.ts'

/** The paging fields of a list's input. */
export interface Paging {
  page: number
  limit: number
  cursor?: string | undefined
}

/** Validates cursor values, in the text form of `keyAsText`, before they become parameters. */
const TYPES = {
  // A team name of forty ligatures normalises to 720 letters.
  text: z.string().regex(/^[^\0]{0,1000}$/),
  uuid: z.uuid(),
  bigint: z.string().regex(/^-?\d{1,15}$/),
  boolean: z.enum(['true', 'false']),
  // PostgreSQL has no year 0 and microsecond precision.
  timestamptz: z.literal('infinity').or(z.iso.datetime().regex(/^(?!0000).{19}(\.\d{1,6})?Z$/)),
}

type Direction = 'asc' | 'desc' | 'asc nulls first' | 'desc nulls last'

/** An expression to sort by; never null. The direction must be written as in the index. */
export interface SortKey {
  on: SQLWrapper
  type: keyof typeof TYPES
  direction?: Direction
}

/** The sort order of a list, for queries and cursors. */
export interface ListOrder {
  name: string
  keys: readonly SortKey[]
  orderBy: SQL[]
  /** The row's sort values, for the cursor: select it as `key`. */
  key: SQL.Aliased<string[]>
}

/** A key's value as text with full precision, independent of the session's time zone and DateStyle. */
const textOf = ({ on, type }: SortKey): SQL =>
  type === 'timestamptz'
    ? sql`coalesce(to_char((${on}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'infinity')`
    : sql`(${on})::text`

/**
 * The last key must be unique, so that no two pages share a row. `name` is part of the cursor, so that cursors of other lists are
 * rejected. If all keys have one direction, an index scan starts at the cursor; otherwise ties of the first keys are scanned.
 */
export function listOrder(name: string, keys: readonly SortKey[]): ListOrder {
  return {
    name,
    keys,
    orderBy: keys.map(({ on, direction = 'asc' }) => sql`${on} ${sql.raw(direction)}`),
    key: sql<string[]>`array[${sql.join(keys.map(textOf), sql`, `)}]`.as('key'),
  }
}

/** The part of a list that a statement selects. */
export interface Window {
  /** Rows after the cursor's; undefined at the start. */
  after: SQL | undefined
  limit: number | Placeholder
  offset: number | Placeholder
  /** False where the best plan depends on parameter values. */
  isPlanKept: boolean
}

/**
 * The maximum page size as a literal, for an inner limit: with only a parameter as limit PostgreSQL would keep replanning the
 * statement. Drizzle would send a number as a parameter, but inlines SQL, which its types do not declare.
 */
export const MOST_ROWS = sql.raw(String(limits.PAGE_SIZE.max + 1)) as unknown as Placeholder

/** The ids of a window's rows, to limit before joining. Planning many joins costs more than running them, hence the generic plan. */
export function idsOf(
  db: Reader,
  table: typeof challenges | typeof submissions | typeof teams,
  { orderBy }: ListOrder,
  where: SQL | undefined,
  { after, limit, offset, isPlanKept }: Window,
) {
  const rows = db
    .select({ id: table.id })
    .from(table)
    .where(and(where, after))
    .orderBy(...orderBy)
    .offset(offset)
  if (!isPlanKept) return rows.limit(limit).as('page')
  const most = rows.limit(MOST_ROWS).as('most')
  return db.select({ id: most.id }).from(most).limit(limit).as('page')
}

interface Bound {
  on: SQLWrapper
  value: SQL
  beyond: '<' | '>'
}

/** Groups adjacent keys of the same direction, which are compared as one row value. */
function boundsOf({ keys }: ListOrder, valueOf: (index: number) => SQLWrapper): Bound[][] {
  const runs: Bound[][] = []
  for (const [index, { on, type, direction = 'asc' }] of keys.entries()) {
    // Cast from text, because the driver would serialise a typed parameter itself.
    const value = sql`${valueOf(index)}::text::${sql.raw(type)}`
    const bound: Bound = { on, value, beyond: direction.startsWith('desc') ? '<' : '>' }
    const run = runs.at(-1)
    if (run?.[0]?.beyond === bound.beyond) run.push(bound)
    else runs.push([bound])
  }
  return runs
}

/** The condition for rows after the given values. The leading `>=` lets an index scan start there, which the `or` alone would not. */
function rowsAfter(order: ListOrder, valueOf: (index: number) => SQLWrapper): SQL {
  const row = (parts: SQLWrapper[]) => sql`(${sql.join(parts, sql`, `)})`
  const conditions = boundsOf(order, valueOf).map((run) => {
    const keys = row(run.map(({ on }) => on))
    const values = row(run.map(({ value }) => value))
    const beyond = sql.raw(run[0]?.beyond ?? '>')
    return { reached: sql`${keys} ${beyond}= ${values}`, passed: sql`${keys} ${beyond} ${values}` }
  })
  return conditions.reduceRight<SQL | undefined>(
    (rest, { reached, passed }) => (rest ? sql`(${reached} and (${passed} or ${rest}))` : passed),
    undefined,
  ) as SQL
}

const refused = () => new AppError({ ...withMessage(appErrors.validation, 'Not a valid cursor'), path: 'cursor' })

const encode = ({ name }: ListOrder, key: string[]): string =>
  Buffer.from(JSON.stringify([name, ...key])).toString('base64url')

/** The values in a cursor of this list; throws `validation` for any other text. */
export function readCursor({ name, keys }: ListOrder, cursor: string): string[] {
  const Cursor = z.tuple([z.literal(name), ...keys.map(({ type }) => TYPES[type])])
  try {
    const [, ...values] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return values
  } catch {
    throw refused()
  }
}

/** The rows of a page and the cursor of the next. */
export interface Rows<Row> {
  rows: Row[]
  nextCursor: string | null
}

// One extra row tells whether there is a next page.
function cut<Row extends { key: string[] }>(order: ListOrder, { limit }: Paging, found: Row[]): Rows<Omit<Row, 'key'>> {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ key: _key, ...row }) => row),
    nextCursor: found.length > limit && last ? encode(order, last.key) : null,
  }
}

/** The offset of a page. Throws for a deep one, which would scan all rows before it; a cursor does not. */
function offsetOf({ page, limit }: Paging): number {
  const offset = (page - 1) * limit
  if (offset > limits.OFFSET_MAX)
    throw new AppError({
      ...withMessage(
        appErrors.validation,
        'This page is too far from the start. Send the nextCursor of the page before as cursor.',
      ),
      path: 'page',
    })
  return offset
}
const placeholder = (index: number) => sql`${sql.placeholder(`after${index}`)}`

type Build<Row> = (db: Reader, window: Window) => Preparable<Row[]>

/**
 * Prepares the statements of a list: its first page, a page at an offset, and a page after a cursor.
 *
 *     const newest = listOrder('warnings', [{ on: warnings.createdAt, type: 'timestamptz', direction: 'desc' }, …])
 *     const pages = pagedStatement('admin.warnings', newest, (db, { after, limit, offset }) =>
 *       db.select({ …columns, key: newest.key }).from(warnings).where(after).orderBy(...newest.orderBy).limit(limit).offset(offset))
 *     const { rows, nextCursor } = await pages(db, input)
 */
export function pagedStatement<Row extends { key: string[] }>(name: string, order: ListOrder, build: Build<Row>) {
  const start: Window = { after: undefined, limit: sql.placeholder('limit'), offset: 0, isPlanKept: true }
  const first = prepared(name, (db) => build(db, start))
  const at = prepared(`${name}.at`, (db) => build(db, { ...start, offset: sql.placeholder('offset') }))
  const next = prepared(`${name}.after`, (db) => build(db, { ...start, after: rowsAfter(order, placeholder) }))
  return async (reader: Reader, paging: Paging, values: Values = {}): Promise<Rows<Omit<Row, 'key'>>> => {
    const all = { ...values, limit: paging.limit + 1 }
    if (paging.cursor === undefined) {
      const offset = offsetOf(paging)
      return cut(order, paging, offset === 0 ? await first(reader, all) : await at(reader, { ...all, offset }))
    }
    const after = readCursor(order, paging.cursor).map((value, index) => [`after${index}`, value])
    return cut(order, paging, await next(reader, { ...all, ...Object.fromEntries(after) }))
  }
}

/** Runs a page without preparing it: for searches and filters, whose best plan depends on their values. */
export async function pagedQuery<Row extends { key: string[] }>(
  reader: Reader,
  order: ListOrder,
  paging: Paging,
  build: (db: Reader, window: Window) => PromiseLike<Row[]>,
): Promise<Rows<Omit<Row, 'key'>>> {
  const { cursor } = paging
  const values = cursor === undefined ? null : readCursor(order, cursor)
  const window = {
    after: values ? rowsAfter(order, (index) => sql`${values[index]}`) : undefined,
    limit: paging.limit + 1,
    offset: values ? 0 : offsetOf(paging),
    isPlanKept: false,
  }
  return cut(order, paging, await build(reader, window))
}

/** A page and the total number of rows. */
export interface Page<Row> extends Rows<Row> {
  total: number
}

/** An empty page; still throws for an invalid cursor or page. */
export function emptyPage(order: ListOrder, paging: Paging): Page<never> {
  // A wrong cursor or page is refused whatever it would find.
  if (paging.cursor === undefined) offsetOf(paging)
  else readCursor(order, paging.cursor)
  return { rows: [], nextCursor: null, total: 0 }
}

/** Awaits rows and total concurrently. */
export async function counted<Row>(
  rows: Promise<Rows<Row>>,
  totals: PromiseLike<{ total: number }[]>,
): Promise<Page<Row>> {
  const [found, [counting]] = await Promise.all([rows, totals])
  return { ...found, total: counting?.total ?? 0 }
}

/** The API representation of a page's position. */
export const paginationOf = ({ page, limit }: Paging, { total, nextCursor }: Page<unknown>): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  nextCursor,
})
