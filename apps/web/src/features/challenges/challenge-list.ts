import { type Challenge, isOpen } from '@community/contract'
import { BY_CURSOR, type InfiniteRows, infiniteList } from '../../lib/infinite-list.ts'
import { trpc } from '../../lib/trpc.ts'
import type { Filters } from './filters.tsx'

/** The specification's page of challenges. */
const PAGE_SIZE = 50

/** What to ask for, with only the filters that are set. */
function queryInput({ search, category, difficulty }: Filters) {
  return {
    limit: PAGE_SIZE,
    ...(search !== '' && { search }),
    ...(category !== '' && { category }),
    ...(difficulty !== '' && { difficulty }),
  }
}

/**
 * The challenges that pass the filters, as far as they were loaded: open ones by nearest deadline, then what is over, the
 * latest first. Without filters it is the list most readers see: the figures above it and linked cards share its query.
 */
export function useChallengeList(filters: Filters): InfiniteRows<Challenge> {
  const query = trpc.challenges.list.useInfiniteQuery(queryInput(filters), BY_CURSOR)
  return infiniteList(query, (page) => page.challenges)
}

/** How many challenges are open, and what all of them add up to; asked for only where the loaded list cannot tell. */
export function useChallengeStats(enabled: boolean) {
  const { data } = trpc.challenges.active.useQuery({ limit: 1 }, { enabled })
  return data && { active: data.pagination.total, ...data.sums }
}

/** The part of a list that can be entered now. Its total is unknown while only open ones were loaded. */
export function onlyOpen(list: InfiniteRows<Challenge>, now: Date): InfiniteRows<Challenge> {
  const rows = list.rows.filter((challenge) => isOpen(challenge, now))
  // The nearest deadline comes first, and may pass while it is read: only where the last row is over, all behind it is.
  const last = list.rows.at(-1)
  const isComplete = !list.hasMore || (last !== undefined && !isOpen(last, now))
  const total = isComplete && !list.isLoading ? rows.length : undefined
  return { ...list, rows, hasMore: !isComplete, total }
}
