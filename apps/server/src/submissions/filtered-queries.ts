import { prepared, type Reader } from '@community/db'
import { submissions } from '@community/db/schema'
import { and, sql } from 'drizzle-orm'
import { readCount } from '../pagination/counts.ts'
import { type FilteredList, findFiltered, findMatches, loadRows } from '../pagination/filtered-page.ts'
import { emptyPage, type Page, type PageInput, queryPage, withTotal } from '../pagination/keyset.ts'
import type { ListOrder } from '../pagination/list-order.ts'
import { firstRowsWindow, newest, selectPage, type SubmissionRows } from './page-queries.ts'
import { filterCondition, type FoundSubmissions, type SubmissionFilter } from './search-queries.ts'

// `any((select ...))` hides the number of ids from the planner, which would otherwise replan for small numbers.
const idsCondition = sql`${submissions.id} = any((select ${sql.placeholder('ids')}::uuid[])::uuid[])`
const rowsOfIds = prepared('submissions.by-ids', (db) => selectPage(db, newest, idsCondition, firstRowsWindow))

const STATUSES = ['pending', 'approved', 'rejected'] as const
const readTotal = (db: Reader, status?: (typeof STATUSES)[number]) =>
  readCount(db, ...(status ? [status] : STATUSES).map((name) => `submissions_${name}` as const))

/** The ids of all submissions, or of all with a status, for which the order has an index. */
const findListed = (
  db: Reader,
  { order, listed }: FilteredList,
  status: SubmissionFilter['status'],
  paging: PageInput,
) =>
  withTotal(
    queryPage(db, order, paging, (reader, { after, limit, offset }) =>
      reader
        .select({ id: submissions.id, key: order.key })
        .from(submissions)
        .where(and(listed, after))
        .orderBy(...order.orderBy)
        .limit(limit)
        .offset(offset),
    ),
    readTotal(db, status),
  )

async function findSearched(
  db: Reader,
  list: FilteredList,
  { total, isTotalCapped, condition, conditionForAll }: FoundSubmissions,
  paging: PageInput,
): Promise<Page<{ id: string }>> {
  if (total === 0) return emptyPage(list.order, paging)
  const page = await findMatches(db, { ...list, filter: and(list.filter, condition) }, paging, {
    areFew: !isTotalCapped,
    filterForAll: conditionForAll && and(list.filter, conditionForAll),
  })
  return { ...page, total, isTotalCapped }
}

/** Finds ids with a fresh plan, because each set of filters has its own best index, then joins them with a prepared statement. */
export async function findMatching(
  db: Reader,
  order: ListOrder,
  { filter: { status, others }, found }: { filter: SubmissionFilter; found?: FoundSubmissions | undefined },
  paging: PageInput,
  viewerId: string | null,
): Promise<SubmissionRows> {
  const list: FilteredList = { table: submissions, order, listed: filterCondition({ status }), filter: others }
  const find = () => {
    if (found) return findSearched(db, list, found, paging)
    return others ? findFiltered(db, list, paging) : findListed(db, list, status, paging)
  }
  return loadRows(await find(), (ids) => rowsOfIds(db, { ids, limit: ids.length, viewerId }))
}
