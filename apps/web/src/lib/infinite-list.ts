import type { Pagination } from '@community/contract'
import { failureOf } from './failure.ts'

interface Page {
  /** Lists by cursor alone have no total. */
  pagination: Pick<Pagination, 'nextCursor'> & Partial<Pick<Pagination, 'total' | 'totalIsCapped'>>
}

/** The used part of an infinite query. */
interface PagedQuery<P extends Page> {
  data: { pages: P[] } | undefined
  error: unknown
  isPending: boolean
  isFetching: boolean
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** The loaded part of a list. */
export interface InfiniteRows<Row> {
  rows: readonly Row[]
  /** Undefined until known. */
  total: number | undefined
  /** The list has more rows than `total`. */
  isTotalCapped: boolean
  /** Number of loaded pages. */
  pages: number
  isLoading: boolean
  /** The error of the first page; null if rows are shown. */
  error: unknown
  isFetching: boolean
  /** Loads the list again. */
  refetch: () => Promise<unknown>
  /** The rows belong to the previous input and are about to be replaced. */
  isStale: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** The error of the next page. */
  moreError: unknown
  /** Loads or retries the next page. */
  loadMore: () => void
}

// A row that moved behind the cursor comes twice: keep its first position and its latest data.
const withoutRepeats = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]

/** Whether the server rejected the cursor, so that the list must start again. */
const isCursorRejected = (error: unknown): boolean => failureOf(error).errors.some(({ path }) => path === 'cursor')

/** The rows of all pages of an infinite query, without duplicates. */
export function infiniteList<P extends Page, Row extends { id: string }>(
  query: PagedQuery<P>,
  rowsOf: (page: P) => readonly Row[],
): InfiniteRows<Row> {
  const pages = query.data?.pages ?? []
  const rows = withoutRepeats(pages.flatMap(rowsOf))
  const { total: knownTotal, totalIsCapped = false } = pages.at(-1)?.pagination ?? {}
  const moreError = query.isFetchNextPageError ? query.error : null
  return {
    rows,
    total: knownTotal === undefined ? undefined : Math.max(knownTotal, rows.length),
    isTotalCapped: totalIsCapped && query.hasNextPage,
    pages: pages.length,
    isLoading: query.isPending,
    error: query.data ? null : query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    moreError,
    loadMore: () => void (isCursorRejected(moreError) ? query.refetch() : query.fetchNextPage()),
  }
}
