import type { Pagination } from '@community/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { failureOf } from './failure.ts'

interface Page {
  pagination: Pagination
}

/** Options of a list that goes on by cursor: `trpc.teams.list.useInfiniteQuery(input, BY_CURSOR)`. Another input begins anew. */
export const BY_CURSOR = {
  getNextPageParam: ({ pagination }: Page) => pagination.nextCursor,
  placeholderData: keepPreviousData,
}

/** What is read of an infinite query. */
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

/** A list as far as it was loaded. */
export interface InfiniteRows<Row> {
  rows: readonly Row[]
  /** How many there are in all; undefined until known. */
  total: number | undefined
  /** How many pages of it were loaded. */
  pages: number
  /** Nothing has come yet. */
  isLoading: boolean
  /** Why nothing could be loaded; null while anything is shown. */
  error: unknown
  isRetrying: boolean
  retry: () => void
  /** What is shown answers an earlier question and is about to be replaced. */
  isStale: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** Why the next page did not come. */
  moreError: unknown
  /** Loads the next page; after a failure, tries it again. */
  loadMore: () => void
}

// A row that moved behind the cursor comes twice: it keeps its place, with what was said of it last.
const withoutRepeats = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]

/** Can the list only begin anew, because the server knows this cursor no more? */
const isCursorRefused = (error: unknown): boolean => failureOf(error).errors.some(({ path }) => path === 'cursor')

/** Reads an infinite query as one list without repeats. `rowsOf` takes a page's rows out of its answer. */
export function infiniteList<P extends Page, Row extends { id: string }>(
  query: PagedQuery<P>,
  rowsOf: (page: P) => readonly Row[],
): InfiniteRows<Row> {
  const pages = query.data?.pages ?? []
  const rows = withoutRepeats(pages.flatMap(rowsOf))
  const told = pages.at(-1)?.pagination.total
  const moreError = query.isFetchNextPageError ? query.error : null
  return {
    rows,
    total: told === undefined ? undefined : Math.max(told, rows.length),
    pages: pages.length,
    isLoading: query.isPending,
    error: query.data ? null : query.error,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    moreError,
    loadMore: () => void (isCursorRefused(moreError) ? query.refetch() : query.fetchNextPage()),
  }
}
