import { appErrors, limits, type Pagination, withMessage } from '@community/contract'
import { type Preparable, prepared, type Reader, type Values } from '@community/db'
import type { challenges, submissions, teams } from '@community/db/schema'
import { and, type Placeholder, sql, type SQL } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { encodeCursor, parseCursor, rowsAfterCondition } from './cursor.ts'
import type { ListOrder } from './list-order.ts'

/** The paging fields of a list's input. */
export interface PageInput {
  page: number
  limit: number
  cursor?: string | undefined
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

/** Selects the ids of a window's rows, to limit before joining. Planning many joins costs more than running them, hence the generic plan. */
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

/** The rows of a page and the cursor of the next. */
export interface PageRows<Row> {
  rows: Row[]
  nextCursor: string | null
}

/**
 * The page of `found`, which has one row more than the page if there is a next one. Throws if the page begins beyond `OFFSET_MAX` and
 * the list has rows after that.
 */
export function toPage<Row extends { key: string }>(
  order: ListOrder,
  paging: PageInput,
  found: Row[],
): PageRows<Omit<Row, 'key'>> {
  const { limit, cursor } = paging
  if (cursor === undefined && found.length > 0 && offsetOf(paging) > limits.OFFSET_MAX)
    throw new AppError({
      ...withMessage(appErrors.validation, 'This page number is too high. Use cursor.'),
      path: 'page',
    })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ key: _key, ...row }) => row),
    nextCursor: found.length > limit && last ? encodeCursor(order, last.key) : null,
  }
}

const offsetOf = ({ page, limit }: PageInput): number => (page - 1) * limit
/**
 * The offset of a page's query, at most `OFFSET_MAX`, because the database reads all rows that it skips. For a later page `toPage` throws if
 * the query found rows.
 */
const skippedRows = (paging: PageInput): number => Math.min(offsetOf(paging), limits.OFFSET_MAX)
const cursorPlaceholder = (index: number) => sql`${sql.placeholder(`after${index}`)}`

type BuildPage<Row> = (db: Reader, window: PageWindow) => Preparable<Row[]>

/**
 * Prepares the statements of a list: its first page, a page at an offset, and a page after a cursor.
 *
 *     const newest = listOrder('warnings', [{ expression: warnings.createdAt, type: 'timestamptz', direction: 'desc nulls last' }, …])
 *     const pages = preparePages('admin.warnings', newest, (db, { after, limit, offset }) =>
 *       db.select({ …columns, key: newest.key }).from(warnings).where(after).orderBy(...newest.orderBy).limit(limit).offset(offset))
 *     const { rows, nextCursor } = await pages(db, input)
 */
export function preparePages<Row extends { key: string }>(name: string, order: ListOrder, build: BuildPage<Row>) {
  const start: PageWindow = { after: undefined, limit: sql.placeholder('limit'), offset: 0, usesGenericPlan: true }
  const first = prepared(name, (db) => build(db, start))
  const at = prepared(`${name}.at`, (db) => build(db, { ...start, offset: sql.placeholder('offset') }))
  const next = prepared(`${name}.after`, (db) =>
    build(db, { ...start, after: rowsAfterCondition(order, cursorPlaceholder) }),
  )
  return async (reader: Reader, paging: PageInput, values: Values = {}): Promise<PageRows<Omit<Row, 'key'>>> => {
    const all = { ...values, limit: paging.limit + 1 }
    if (paging.cursor === undefined) {
      const offset = skippedRows(paging)
      return toPage(order, paging, offset === 0 ? await first(reader, all) : await at(reader, { ...all, offset }))
    }
    const after = parseCursor(order, paging.cursor).map((value, index) => [`after${index}`, value])
    return toPage(order, paging, await next(reader, { ...all, ...Object.fromEntries(after) }))
  }
}

export type UnpreparedWindow = PageWindow & { limit: number; offset: number }

/** The rows that a page selects, with values where a prepared statement has placeholders. Throws `validation` for an invalid cursor. */
export function windowOf(order: ListOrder, paging: PageInput): UnpreparedWindow {
  const { cursor } = paging
  const values = cursor === undefined ? null : parseCursor(order, cursor)
  return {
    after: values ? rowsAfterCondition(order, (index) => sql`${values[index]}`) : undefined,
    limit: paging.limit + 1,
    offset: values ? 0 : skippedRows(paging),
    usesGenericPlan: false,
  }
}

/** Runs a page without preparing it: for filters whose best plan depends on their values. */
export const queryPage = async <Row extends { key: string }>(
  reader: Reader,
  order: ListOrder,
  paging: PageInput,
  build: (db: Reader, window: PageWindow) => PromiseLike<Row[]>,
): Promise<PageRows<Omit<Row, 'key'>>> => toPage(order, paging, await build(reader, windowOf(order, paging)))

/** A page and the total number of rows. */
export interface Page<Row> extends PageRows<Row> {
  total: number
  /** True if there are more rows than `total`. */
  isTotalCapped?: boolean
}

/** Counts the rows of a `select` without a limit, up to `COUNTED_TOTAL_MAX`, so that the cost is limited however many there are. */
export function countUpToMax(db: Reader, rows: SQL) {
  const max = limits.COUNTED_TOTAL_MAX
  return (
    db
      .select({ total: sql<number>`least(count(*), ${max})::int`, isTotalCapped: sql<boolean>`count(*) > ${max}` })
      // A literal: with a parameter PostgreSQL would plan for a tenth of the rows.
      .from(sql`(${rows} limit ${sql.raw(String(max + 1))}) as found`)
  )
}

/** An empty page; still throws for an invalid cursor. */
export function emptyPage(order: ListOrder, { cursor }: PageInput): Page<never> {
  if (cursor !== undefined) parseCursor(order, cursor)
  return { rows: [], nextCursor: null, total: 0 }
}

/** Awaits rows and total concurrently. */
export async function withTotal<Row>(
  rows: Promise<PageRows<Row>>,
  totals: PromiseLike<{ total: number; isTotalCapped?: boolean }[]>,
): Promise<Page<Row>> {
  const [page, [totalRow]] = await Promise.all([rows, totals])
  return { ...page, total: 0, ...totalRow }
}

/** The API representation of a page's position. */
export function toPagination(
  { page, limit, cursor }: PageInput,
  { rows, total, isTotalCapped = false, nextCursor }: Page<unknown>,
): Pagination {
  const knownPages = Math.ceil((isTotalCapped ? total + 1 : total) / limit)
  const reachedPages = nextCursor === null ? (rows.length === 0 ? 0 : page) : page + 1
  return {
    ...(cursor === undefined && { page }),
    limit,
    total,
    ...(isTotalCapped && { totalIsCapped: true }),
    // Clients that page by number go on as long as there is a next page.
    totalPages: isTotalCapped ? Math.max(knownPages, reachedPages) : knownPages,
    nextCursor,
  }
}
