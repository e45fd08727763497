import type { Pagination } from '@community/contract'
import { keepPreviousData } from '@tanstack/react-query'

/** Options of a cursor-paginated list: `useInfiniteQuery(trpc.teams.list.infiniteQueryOptions(input, BY_CURSOR))`. */
export const BY_CURSOR = {
  getNextPageParam: ({ pagination }: { pagination: Pick<Pagination, 'nextCursor'> }) => pagination.nextCursor,
  placeholderData: keepPreviousData,
}

/** The same for searches. A request for an earlier text is aborted: the server runs one search per client at a time. */
export const SEARCH_BY_CURSOR = { ...BY_CURSOR, trpc: { abortOnUnmount: true } }
