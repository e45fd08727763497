import { limits } from '@community/contract'
import type { Reader } from '@community/db'
import type { submissions, teams, users } from '@community/db/schema'
import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { emptyPage, type Page, type PageInput, type PageRows, type PageWindow, toPage, windowOf } from './keyset.ts'
import type { ListOrder } from './list-order.ts'

/** Up to this many matches are counted, and sorted at once. */
const TOTAL_MAX = limits.SEARCH_TOTAL_MAX
/** Rows of a list that are looked through in its order, before all matches are sorted however many there are. */
const ROWS_TRIED = 25_000

/** A list with a filter that has no index in the list's order, such as a search. */
export interface FilteredList {
  table: typeof submissions | typeof teams | typeof users
  order: ListOrder
  /** What the index with the list's order contains; undefined for all rows. */
  listed?: SQL | undefined
  filter: SQL | undefined
}

// Not an interface, which `execute` does not take.
type Match = { id: string; key: string[] }

/** The column of a sort key. */
const keyColumn = (index: number) => sql.identifier(`order_${index}`)

const orderBy = ({ order }: FilteredList) =>
  sql.join(
    order.keys.map(({ direction = 'asc' }, index) => sql`${keyColumn(index)} ${sql.raw(direction)}`),
    sql`, `,
  )

/** Selects rows with a column for each sort key: PostgreSQL then knows that they are in order already. */
function selectRows({ table, order }: FilteredList, where: SQL | undefined): SQL {
  const keys = order.keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`)
  return sql`select ${table}.*, ${sql.join(keys, sql`, `)} from ${table} where ${where ?? sql`true`}`
}

/** Selects the window of `rows`, made by `selectRows`. */
function selectWindow(list: FilteredList, rows: SQL, where: SQL | undefined, { limit, offset }: PageWindow): SQL {
  const name = sql.identifier(getTableName(list.table))
  const window = sql`
    select * from (${rows}) as ${name} where ${where ?? sql`true`}
    order by ${orderBy(list)} limit ${limit} offset ${offset}`
  // Keys are computed for the window only: as text they cost more than the sorting.
  return sql`
    select ${list.table.id} as id, ${list.order.key.sql} as key from (${window}) as ${name} order by ${orderBy(list)}`
}

/** Looks through the first rows of the list. Quick where many match. */
const findAmongFirst = (db: Reader, list: FilteredList, window: PageWindow) => {
  const first = sql`${selectRows(list, and(list.listed, window.after))} order by ${orderBy(list)} limit ${ROWS_TRIED}`
  return db.execute<Match>(selectWindow(list, first, list.filter, window))
}

/** Sorts all matches: `offset 0` keeps PostgreSQL from looking through the list in its order, which may be long. */
const findAmongAll = (db: Reader, list: FilteredList, window: PageWindow) => {
  const matches = sql`${selectRows(list, and(list.listed, list.filter, window.after))} offset 0`
  return db.execute<Match>(selectWindow(list, matches, undefined, window))
}

/** The number of matches, or `TOTAL_MAX + 1` if there are more, and the window's rows if there are not. */
async function findAmongFew(db: Reader, list: FilteredList, window: PageWindow) {
  const few = sql`${selectRows(list, and(list.listed, list.filter))} limit ${TOTAL_MAX + 1}`
  const isFew = sql`counted.total <= ${TOTAL_MAX}`
  const page = selectWindow(list, sql`select * from few`, and(isFew, window.after), window)
  const rows = await db.execute<{ total: number; id: string | null; key: string[] | null }>(sql`
    with few as materialized (${few})
    select counted.total, page.id, page.key from (select count(*)::int as total from few) as counted
    left join lateral (select *, row_number() over () as place from (${page}) as ordered) as page on true
    order by page.place`)
  const matches = rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }]))
  return { total: rows[0]?.total ?? 0, rows: matches }
}

/** The ids of a page of the matches, however many there are. */
export async function findMatches(
  db: Reader,
  list: FilteredList,
  paging: PageInput,
  { areFew = false, filterForAll = list.filter } = {},
): Promise<PageRows<{ id: string }>> {
  const window = windowOf(list.order, paging)
  const first = areFew ? [] : await findAmongFirst(db, list, window)
  // A full page has one more row, which shows that there is a next one.
  if (first.length === window.limit) return toPage(list.order, paging, first)
  return toPage(list.order, paging, await findAmongAll(db, { ...list, filter: filterForAll }, window))
}

/**
 * The ids of a page of the matches, and their total, counted up to `SEARCH_TOTAL_MAX`. PostgreSQL assumes that matches are spread evenly
 * over a list: left to itself, it looks through a million rows for those whose names all sort last.
 */
export async function findFiltered(db: Reader, list: FilteredList, paging: PageInput): Promise<Page<{ id: string }>> {
  const { total, rows } = await findAmongFew(db, list, windowOf(list.order, paging))
  if (total === 0) return emptyPage(list.order, paging)
  if (total <= TOTAL_MAX) return { ...toPage(list.order, paging, rows), total }
  return { ...(await findMatches(db, list, paging)), total: TOTAL_MAX, isTotalCapped: true }
}

/** The page with whole rows in place of ids. Rows that were deleted meanwhile are left out. */
export async function loadRows<Row extends { id: string }>(
  { rows: matches, ...page }: Page<{ id: string }>,
  load: (ids: string[]) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows = matches.length === 0 ? [] : await load(matches.map(({ id }) => id))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, rows: matches.flatMap(({ id }) => byId.get(id) ?? []) }
}
