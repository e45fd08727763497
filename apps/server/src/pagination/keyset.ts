import { appErrors, limits, type Pagination, withMessage } from '@community/contract'
import { type Preparable, type Reader, prepared, type Values } from '@community/db'
import type { challenges, submissions, teams } from '@community/db/schema'
import { and, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../errors.ts'

/** The paging fields of a list's input. */
export interface PageInput {
  page: number
  limit: number
  cursor?: string | undefined
}

/** Validates cursor values, in the text form of `keyAsText`, before they become parameters. */
const KEY_SCHEMAS = {
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
  expression: SQLWrapper
  type: keyof typeof KEY_SCHEMAS
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
const keyAsText = ({ expression, type }: SortKey): SQL =>
  type === 'timestamptz'
    ? sql`coalesce(to_char((${expression}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'infinity')`
    : sql`(${expression})::text`

/**
 * The last key must be unique, so that no two pages share a row. `name` is part of the cursor, so that cursors of other lists are
 * rejected. If all keys have one direction, an index scan starts at the cursor; otherwise ties of the first keys are scanned.
 */
export function listOrder(name: string, keys: readonly SortKey[]): ListOrder {
  return {
    name,
    keys,
    orderBy: keys.map(({ expression, direction = 'asc' }) => sql`${expression} ${sql.raw(direction)}`),
    key: sql<string[]>`array[${sql.join(keys.map(keyAsText), sql`, `)}]`.as('key'),
  }
}

/** The part of a list that a statement selects. */
export interface PageWindow {
  /** Rows after the cursor's; undefined at the start. */
  after: SQL | undefined
  limit: number | Placeholder
  offset: number | Placeholder
  /** False where the best plan depends on parameter values. */
  usesGenericPlan: boolean
}

/**
 * The maximum page size as a literal, for an inner limit: with only a parameter as limit PostgreSQL would keep replanning the
 * statement. Drizzle would send a number as a parameter, but inlines SQL, which its types do not declare.
 */
export const ROWS_MAX = sql.raw(String(limits.PAGE_SIZE.max + 1)) as unknown as Placeholder

/** The ids of a window's rows, to limit before joining. Planning many joins costs more than running them, hence the generic plan. */
export function selectIds(
  db: Reader,
  table: typeof challenges | typeof submissions | typeof teams,
  { orderBy }: ListOrder,
  where: SQL | undefined,
  { after, limit, offset, usesGenericPlan }: PageWindow,
) {
  const rows = db
    .select({ id: table.id })
    .from(table)
    .where(and(where, after))
    .orderBy(...orderBy)
    .offset(offset)
  if (!usesGenericPlan) return rows.limit(limit).as('page')
  const firstRows = rows.limit(ROWS_MAX).as('most')
  return db.select({ id: firstRows.id }).from(firstRows).limit(limit).as('page')
}

interface KeyBound {
  expression: SQLWrapper
  value: SQL
  operator: '<' | '>'
}

/** Groups adjacent keys of the same direction, which are compared as one row value. */
function groupBounds({ keys }: ListOrder, valueAt: (index: number) => SQLWrapper): KeyBound[][] {
  const groups: KeyBound[][] = []
  for (const [index, { expression, type, direction = 'asc' }] of keys.entries()) {
    // Cast from text, because the driver would serialise a typed parameter itself.
    const value = sql`${valueAt(index)}::text::${sql.raw(type)}`
    const bound: KeyBound = { expression, value, operator: direction.startsWith('desc') ? '<' : '>' }
    const group = groups.at(-1)
    if (group?.[0]?.operator === bound.operator) group.push(bound)
    else groups.push([bound])
  }
  return groups
}

/** The condition for rows after the given values. The leading `>=` lets an index scan start there, which the `or` alone would not. */
function rowsAfter(order: ListOrder, valueAt: (index: number) => SQLWrapper): SQL {
  const row = (parts: SQLWrapper[]) => sql`(${sql.join(parts, sql`, `)})`
  const conditions = groupBounds(order, valueAt).map((group) => {
    const keys = row(group.map(({ expression }) => expression))
    const values = row(group.map(({ value }) => value))
    const operator = sql.raw(group[0]?.operator ?? '>')
    return { atOrAfter: sql`${keys} ${operator}= ${values}`, strictlyAfter: sql`${keys} ${operator} ${values}` }
  })
  return conditions.reduceRight<SQL | undefined>(
    (rest, { atOrAfter, strictlyAfter }) =>
      rest ? sql`(${atOrAfter} and (${strictlyAfter} or ${rest}))` : strictlyAfter,
    undefined,
  ) as SQL
}

const invalidCursor = () => new AppError({ ...withMessage(appErrors.validation, 'Not a valid cursor'), path: 'cursor' })

const encodeCursor = ({ name }: ListOrder, key: string[]): string =>
  Buffer.from(JSON.stringify([name, ...key])).toString('base64url')

/** The values in a cursor of this list; throws `validation` for any other text. */
export function parseCursor({ name, keys }: ListOrder, cursor: string): string[] {
  const Cursor = z.tuple([z.literal(name), ...keys.map(({ type }) => KEY_SCHEMAS[type])])
  try {
    const [, ...values] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return values
  } catch {
    throw invalidCursor()
  }
}

/** The rows of a page and the cursor of the next. */
export interface PageRows<Row> {
  rows: Row[]
  nextCursor: string | null
}

// One extra row tells whether there is a next page.
function toPage<Row extends { key: string[] }>(
  order: ListOrder,
  { limit }: PageInput,
  found: Row[],
): PageRows<Omit<Row, 'key'>> {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ key: _key, ...row }) => row),
    nextCursor: found.length > limit && last ? encodeCursor(order, last.key) : null,
  }
}

/** The offset of a page. Throws for a deep one, which would scan all rows before it; a cursor does not. */
function checkedOffset({ page, limit }: PageInput): number {
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
const cursorPlaceholder = (index: number) => sql`${sql.placeholder(`after${index}`)}`

type BuildPage<Row> = (db: Reader, window: PageWindow) => Preparable<Row[]>

/**
 * Prepares the statements of a list: its first page, a page at an offset, and a page after a cursor.
 *
 *     const newest = listOrder('warnings', [{ expression: warnings.createdAt, type: 'timestamptz', direction: 'desc' }, …])
 *     const pages = pagedStatement('admin.warnings', newest, (db, { after, limit, offset }) =>
 *       db.select({ …columns, key: newest.key }).from(warnings).where(after).orderBy(...newest.orderBy).limit(limit).offset(offset))
 *     const { rows, nextCursor } = await pages(db, input)
 */
export function preparePages<Row extends { key: string[] }>(name: string, order: ListOrder, build: BuildPage<Row>) {
  const start: PageWindow = { after: undefined, limit: sql.placeholder('limit'), offset: 0, usesGenericPlan: true }
  const first = prepared(name, (db) => build(db, start))
  const at = prepared(`${name}.at`, (db) => build(db, { ...start, offset: sql.placeholder('offset') }))
  const next = prepared(`${name}.after`, (db) => build(db, { ...start, after: rowsAfter(order, cursorPlaceholder) }))
  return async (reader: Reader, paging: PageInput, values: Values = {}): Promise<PageRows<Omit<Row, 'key'>>> => {
    const all = { ...values, limit: paging.limit + 1 }
    if (paging.cursor === undefined) {
      const offset = checkedOffset(paging)
      return toPage(order, paging, offset === 0 ? await first(reader, all) : await at(reader, { ...all, offset }))
    }
    const after = parseCursor(order, paging.cursor).map((value, index) => [`after${index}`, value])
    return toPage(order, paging, await next(reader, { ...all, ...Object.fromEntries(after) }))
  }
}

/** Runs a page without preparing it: for searches and filters, whose best plan depends on their values. */
export async function queryPage<Row extends { key: string[] }>(
  reader: Reader,
  order: ListOrder,
  paging: PageInput,
  build: (db: Reader, window: PageWindow) => PromiseLike<Row[]>,
): Promise<PageRows<Omit<Row, 'key'>>> {
  const { cursor } = paging
  const values = cursor === undefined ? null : parseCursor(order, cursor)
  const window = {
    after: values ? rowsAfter(order, (index) => sql`${values[index]}`) : undefined,
    limit: paging.limit + 1,
    offset: values ? 0 : checkedOffset(paging),
    usesGenericPlan: false,
  }
  return toPage(order, paging, await build(reader, window))
}

/** A page and the total number of rows. */
export interface Page<Row> extends PageRows<Row> {
  total: number
}

/** An empty page; still throws for an invalid cursor or page. */
export function emptyPage(order: ListOrder, paging: PageInput): Page<never> {
  // A wrong cursor or page is refused whatever it would find.
  if (paging.cursor === undefined) checkedOffset(paging)
  else parseCursor(order, paging.cursor)
  return { rows: [], nextCursor: null, total: 0 }
}

/** Awaits rows and total concurrently. */
export async function withTotal<Row>(
  rows: Promise<PageRows<Row>>,
  totals: PromiseLike<{ total: number }[]>,
): Promise<Page<Row>> {
  const [page, [totalRow]] = await Promise.all([rows, totals])
  return { ...page, total: totalRow?.total ?? 0 }
}

/** The API representation of a page's position. */
export const paginationOf = ({ page, limit }: PageInput, { total, nextCursor }: Page<unknown>): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  nextCursor,
})
