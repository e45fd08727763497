import type { Pagination } from '@community/contract'
import { keepPreviousData } from '@tanstack/react-query'

/** Options of a cursor-paginated list: `useInfiniteQuery(trpc.teams.list.infiniteQueryOptions(input, BY_CURSOR))`. */
export const BY_CURSOR = {
  getNextPageParam: ({ pagination }: { pagination: Pick<Pagination, 'nextCursor'> }) => pagination.nextCursor,
  placeholderData: keepPreviousData,
}

/** `BY_CURSOR` for a search: a superseded one is aborted, because the server runs one search of each client at a time. */
export const SEARCH_BY_CURSOR = { ...BY_CURSOR, trpc: { abortOnUnmount: true } }
