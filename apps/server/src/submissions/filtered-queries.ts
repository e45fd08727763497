import { SUBMISSION_STATUSES } from '@community/contract'
import { prepared, type Reader } from '@community/db'
import { submissions } from '@community/db/schema'
import { and } from 'drizzle-orm'
import { readCountedTotal } from '../pagination/counts.ts'
import { type FilteredList, findFiltered, findMatches, idsCondition, loadRows } from '../pagination/filtered-page.ts'
import { emptyPage, type Page, type PageInput, queryPage, withTotal } from '../pagination/keyset.ts'
import type { ListOrder } from '../pagination/list-order.ts'
import { firstRowsWindow, newest, ORDERS, selectPage, selectTotal, type SubmissionRows } from './page-queries.ts'
import { type FoundSubmissions, indexCondition, type SubmissionFilter } from './search-queries.ts'

const selectByIds = (db: Reader, forAdmin: boolean) =>
  selectPage(db, newest, idsCondition(submissions), firstRowsWindow, { forAdmin })
const rowsOfIds = prepared('submissions.by-ids', (db) => selectByIds(db, false))
const rowsOfIdsForAdmin = prepared('submissions.by-ids.admin', (db) => selectByIds(db, true))

/** Exact: `counts` has the submissions of each status, and an index those of one team or challenge, which are few. */
const countListed = (db: Reader, filter: SubmissionFilter) =>
  filter.teamOrChallenge
    ? selectTotal(db, indexCondition(filter))
    : readCountedTotal(
        db,
        ...(filter.status ? [filter.status] : SUBMISSION_STATUSES).map((status) => `submissions_${status}` as const),
      )

/** The ids of a page without a search or `updatedSince`: PostgreSQL finds the index. */
const findListed = (db: Reader, list: FilteredList, filter: SubmissionFilter, paging: PageInput) =>
  withTotal(
    queryPage(db, list.order, paging, (reader, { after, limit, offset }) =>
      reader
        .select({ id: submissions.id, key: list.order.key })
        .from(submissions)
        .where(and(list.indexCondition, after))
        .orderBy(...list.order.orderBy)
        .limit(limit)
        .offset(offset),
    ),
    countListed(db, filter),
  )

async function findSearched(
  db: Reader,
  list: FilteredList,
  { teamOrChallenge, updatedSince }: SubmissionFilter,
  { total, isTotalCapped, condition, sortCondition }: FoundSubmissions,
  paging: PageInput,
): Promise<Page<{ id: string }>> {
  if (total === 0) return emptyPage(list.order, paging)
  const page = await findMatches(db, { ...list, filter: and(updatedSince, condition) }, paging, {
    skipsScan: !isTotalCapped,
    // One team or challenge has few enough submissions to check each.
    sortFilter: sortCondition && !teamOrChallenge ? and(updatedSince, sortCondition) : undefined,
  })
  return { ...page, total, isTotalCapped }
}

/** Finds ids with a fresh plan, because each set of filters has its own best index, then joins them with a prepared statement. */
export async function findSubmissionPage(
  db: Reader,
  order: ListOrder,
  { filter, found }: { filter: SubmissionFilter; found?: FoundSubmissions | undefined },
  paging: PageInput,
  viewer: { id: string | null; isAdmin?: boolean },
): Promise<SubmissionRows> {
  // The indexes of teams and challenges end in (created_at desc, id), which is `newest`, or `oldest` backwards.
  const isIndexed = !filter.teamOrChallenge || order === ORDERS.newest || order === ORDERS.oldest
  const list: FilteredList = {
    table: submissions,
    order,
    indexCondition: indexCondition(filter),
    filter: filter.updatedSince,
    hasNoOrderIndex: !isIndexed,
  }
  const find = () => {
    if (found) return findSearched(db, list, filter, found, paging)
    return filter.updatedSince ? findFiltered(db, list, paging) : findListed(db, list, filter, paging)
  }
  const page = await find()
  const load = viewer.isAdmin ? rowsOfIdsForAdmin : rowsOfIds
  return loadRows(page, (ids) => load(db, { ids, limit: ids.length, viewerId: viewer.id }))
}
