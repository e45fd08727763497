import { prepared, type Reader } from '@community/db'
import { submissions } from '@community/db/schema'
import { and } from 'drizzle-orm'
import { readCount } from '../pagination/counts.ts'
import { type FilteredList, findFiltered, findMatches, idsCondition, loadRows } from '../pagination/filtered-page.ts'
import { emptyPage, type Page, type PageInput, queryPage, withTotal } from '../pagination/keyset.ts'
import type { ListOrder } from '../pagination/list-order.ts'
import { firstRowsWindow, newest, ORDERS, selectPage, selectTotal, type SubmissionRows } from './page-queries.ts'
import { type FoundSubmissions, listedCondition, type SubmissionFilter } from './search-queries.ts'

const rowsOfIds = prepared('submissions.by-ids', (db) =>
  selectPage(db, newest, idsCondition(submissions), firstRowsWindow),
)

const STATUSES = ['pending', 'approved', 'rejected'] as const
const countListed = (db: Reader, filter: SubmissionFilter) =>
  filter.owners
    ? selectTotal(db, listedCondition(filter))
    : readCount(db, ...(filter.status ? [filter.status] : STATUSES).map((name) => `submissions_${name}` as const))

/** The ids of submissions that an index lists in the order. */
const findListed = (db: Reader, { order, listed }: FilteredList, filter: SubmissionFilter, paging: PageInput) =>
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
    countListed(db, filter),
  )

async function findSearched(
  db: Reader,
  list: FilteredList,
  filter: SubmissionFilter,
  { total, isTotalCapped, condition, conditionForAll }: FoundSubmissions,
  paging: PageInput,
): Promise<Page<{ id: string }>> {
  if (total === 0) return emptyPage(list.order, paging)
  const page = await findMatches(db, { ...list, filter: and(list.filter, condition) }, paging, {
    areFew: !isTotalCapped,
    // Of one team or challenge each work can be checked.
    filterForAll: conditionForAll && !filter.owners ? and(list.filter, conditionForAll) : undefined,
  })
  return { ...page, total, isTotalCapped }
}

/** Finds ids with a fresh plan, because each set of filters has its own best index, then joins them with a prepared statement. */
export async function findSubmissionPage(
  db: Reader,
  order: ListOrder,
  { filter, found }: { filter: SubmissionFilter; found?: FoundSubmissions | undefined },
  paging: PageInput,
  viewerId: string | null,
): Promise<SubmissionRows> {
  const list: FilteredList = {
    table: submissions,
    order,
    listed: listedCondition(filter),
    filter: filter.changes,
    // The indexes of teams and challenges are by time.
    isOrderIndexed: !filter.owners || order === ORDERS.newest || order === ORDERS.oldest,
  }
  const find = () => {
    if (found) return findSearched(db, list, filter, found, paging)
    return filter.changes ? findFiltered(db, list, paging) : findListed(db, list, filter, paging)
  }
  return loadRows(await find(), (ids) => rowsOfIds(db, { ids, limit: ids.length, viewerId }))
}
