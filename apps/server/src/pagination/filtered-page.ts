import { limits } from '@community/contract'
import type { Reader } from '@community/db'
import type { submissions, teams, users } from '@community/db/schema'
import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { type Page, type PageInput, type PageRows, toPage, type UnpreparedWindow, windowOf } from './keyset.ts'
import type { ListOrder } from './list-order.ts'

type Table = typeof submissions | typeof teams | typeof users

const TOTAL_MAX = limits.COUNTED_TOTAL_MAX
/** Rows read in a list's order before all matches are sorted instead: 10 to 50 ms at a million teams. */
const SCAN_ROWS_MAX = 25_000

export interface FilteredList {
  table: Table
  order: ListOrder
  /** Conditions that an index with the list's order is limited to, such as the status of its rows. */
  indexCondition?: SQL | undefined
  /** All other conditions, such as a search. */
  filter: SQL | undefined
  /** No index has the order: to scan the first rows would be to sort all of them. */
  hasNoOrderIndex?: boolean
}

// A type, because `execute` requires an index signature.
type Match = { id: string; key: string }

/** The column of a sort key. */
const keyColumn = (index: number) => sql.identifier(`order_${index}`)

const orderBy = ({ order }: FilteredList) =>
  sql.join(
    order.keys.map(({ direction = 'asc' }, index) => sql`${keyColumn(index)} ${sql.raw(direction)}`),
    sql`, `,
  )

/** Selects whole rows, and each sort key as a column. An outer `order by` of these columns lets PostgreSQL see that rows are sorted already. */
function selectRows({ table, order }: FilteredList, where: SQL | undefined): SQL {
  const keys = order.keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`)
  return sql`select ${table}.*, ${sql.join(keys, sql`, `)} from ${table} where ${where ?? sql`true`}`
}

/** Selects the window of `rows`, made by `selectRows`. */
function selectWindow(list: FilteredList, rows: SQL, where: SQL | undefined, { limit, offset }: UnpreparedWindow): SQL {
  const name = sql.identifier(getTableName(list.table))
  const window = sql`
    select * from (${rows}) as ${name} where ${where ?? sql`true`}
    order by ${orderBy(list)} limit ${limit} offset ${offset}`
  // Keys are computed for the window only: as text they cost more than the sorting.
  return sql`
    select ${list.table.id} as id, ${list.order.key.sql} as key from (${window}) as ${name} order by ${orderBy(list)}`
}

/** The number of matches, or `TOTAL_MAX + 1` if there are more, and the window's rows if there are not. */
async function countAndSortFew(db: Reader, list: FilteredList, window: UnpreparedWindow) {
  const few = sql`${selectRows(list, and(list.indexCondition, list.filter))} limit ${TOTAL_MAX + 1}`
  const fewCondition = sql`counted.total <= ${TOTAL_MAX}`
  const page = selectWindow(list, sql`select * from few`, and(fewCondition, window.after), window)
  const rows = await db.execute<{ total: number; id: string | null; key: string | null }>(sql`
    with few as materialized (${few})
    select counted.total, page.id, page.key from (select count(*)::int as total from few) as counted
    left join lateral (select *, row_number() over () as place from (${page}) as ordered) as page on true
    order by page.place`)
  const matches = rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }]))
  return { total: rows[0]?.total ?? 0, rows: matches }
}

/** The page's matches among the first `SCAN_ROWS_MAX` rows. Unless `isPageComplete`, more of its matches may follow after these rows. */
async function scanInOrder(db: Reader, list: FilteredList, window: UnpreparedWindow) {
  const rows = sql`${selectRows(list, and(list.indexCondition, window.after))} order by ${orderBy(list)}`
  const found = await db.execute<Match>(selectWindow(list, sql`${rows} limit ${SCAN_ROWS_MAX}`, list.filter, window))
  // A full page has one more row, which shows that there is a next one.
  if (found.length === window.limit) return { found, isPageComplete: true }
  const beyond = await db.execute(sql`select 1 from (${rows} limit 1 offset ${SCAN_ROWS_MAX}) as beyond`)
  return { found, isPageComplete: beyond.length === 0 }
}

/** `offset 0` keeps PostgreSQL from choosing a scan of the order's index instead, which may be long. */
const sortAllMatches = (db: Reader, list: FilteredList, window: UnpreparedWindow) => {
  const matches = sql`${selectRows(list, and(list.indexCondition, list.filter, window.after))} offset 0`
  return db.execute<Match>(selectWindow(list, matches, undefined, window))
}

interface MatchOptions {
  /** Sort all matches without a scan first, because they are few. */
  skipsScan?: boolean
  /** Replaces `filter` when all matches are sorted: it selects the same rows at a lower cost. By default `filter` itself. */
  sortFilter?: SQL | undefined
}

/** The ids of a page of the matches, however many there are: scans, then sorts (docs/decisions/0047-sort-matches.md). */
export async function findMatches(
  db: Reader,
  list: FilteredList,
  paging: PageInput,
  { skipsScan = false, sortFilter = list.filter }: MatchOptions = {},
): Promise<PageRows<{ id: string }>> {
  const window = windowOf(list.order, paging)
  if (!skipsScan && !list.hasNoOrderIndex) {
    const { found, isPageComplete } = await scanInOrder(db, list, window)
    if (isPageComplete) return toPage(list.order, paging, found)
  }
  return toPage(list.order, paging, await sortAllMatches(db, { ...list, filter: sortFilter }, window))
}

/**
 * The ids of a page of the matches, and their total, counted up to `COUNTED_TOTAL_MAX`. Up to that number are counted and sorted in one
 * statement; of more it scans, then sorts (docs/decisions/0047-sort-matches.md). Throws `validation` for an invalid cursor or page.
 */
export async function findFiltered(db: Reader, list: FilteredList, paging: PageInput): Promise<Page<{ id: string }>> {
  const { total, rows } = await countAndSortFew(db, list, windowOf(list.order, paging))
  if (total <= TOTAL_MAX) return { ...toPage(list.order, paging, rows), total }
  return { ...(await findMatches(db, list, paging)), total: TOTAL_MAX, isTotalCapped: true }
}

/** Selects rows by the placeholder `ids`. `any((select ...))` hides their number from the planner, which would replan for small ones. */
export const idsCondition = (table: Table) => sql`${table.id} = any((select ${sql.placeholder('ids')}::uuid[])::uuid[])`

/** The page with whole rows in place of ids. Rows that were deleted meanwhile are left out. */
export async function loadRows<Row extends { id: string }>(
  { rows: matches, ...page }: Page<{ id: string }>,
  load: (ids: string[]) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows = matches.length === 0 ? [] : await load(matches.map(({ id }) => id))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, rows: matches.flatMap(({ id }) => byId.get(id) ?? []) }
}
