import { type Challenge, isOpen } from '@community/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BY_CURSOR, SEARCH_BY_CURSOR } from '../../lib/by-cursor.ts'
import { type InfiniteRows, infiniteList } from '../../lib/infinite-list.ts'
import { FIRST_QUERIES } from '../../lib/first-queries.ts'
import { trpc } from '../../lib/trpc.ts'
import type { Filters } from './filters.tsx'

/** The query input, with only the filters that are set. */
function queryInput({ search, category, difficulty }: Filters) {
  return {
    ...FIRST_QUERIES.challenges.input,
    ...(search !== '' && { search }),
    ...(category !== '' && { category }),
    ...(difficulty !== '' && { difficulty }),
  }
}

/**
 * The loaded challenges that match the filters: open ones by nearest deadline, then expired ones, the latest first.
 * Without filters, the statistics above the list and linked challenges share this query.
 */
export function useChallengeList(filters: Filters): InfiniteRows<Challenge> {
  const options = filters.search === '' ? BY_CURSOR : SEARCH_BY_CURSOR
  const query = useInfiniteQuery(trpc.challenges.list.infiniteQueryOptions(queryInput(filters), options))
  return infiniteList(query, (page) => page.challenges)
}

/** The number of open challenges and the totals of all; loaded only if the list is incomplete. */
export function useChallengeStats(enabled: boolean) {
  const { data } = useQuery(trpc.challenges.active.queryOptions({ limit: 1 }, { enabled }))
  return data && { active: data.pagination.total, ...data.sums }
}

/** The open challenges of a list. Their total is unknown while every loaded one is open. */
export function onlyOpen(list: InfiniteRows<Challenge>, now: Date): InfiniteRows<Challenge> {
  const rows = list.rows.filter((challenge) => isOpen(challenge, now))
  // The first deadline may pass while the list is shown, so look at the last row: if that has expired, so have all after it.
  const last = list.rows.at(-1)
  const isComplete = !list.hasMore || (last !== undefined && !isOpen(last, now))
  const total = isComplete && !list.isLoading ? rows.length : undefined
  return { ...list, rows, hasMore: !isComplete, total }
}
