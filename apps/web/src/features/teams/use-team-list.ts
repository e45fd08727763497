import type { TeamView } from '@community/contract'
import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { FIRST_QUERIES } from '../../lib/first-queries.ts'
import { BY_CURSOR, SEARCH_BY_CURSOR } from '../../lib/by-cursor.ts'
import { type InfiniteRows, infiniteList } from '../../lib/infinite-list.ts'
import { msg } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import type { TeamFilters } from './filters.ts'

/** The loaded teams that match the filters. A failure is also shown as a toast. */
export function useTeamList(filters: TeamFilters): InfiniteRows<TeamView> {
  const search = filters.search.trim().slice(0, SEARCH_LENGTH_MAX)
  const input = {
    ...FIRST_QUERIES.teams.input,
    sort: filters.sort,
    order: filters.order,
    ...(search && { search }),
    ...(filters.role && { role: filters.role }),
  }
  const query = useInfiniteQuery(trpc.teams.list.infiniteQueryOptions(input, search ? SEARCH_BY_CURSOR : BY_CURSOR))
  const list = infiniteList(query, (page) => page.teams)
  useFailureToast(list.error ?? list.moreError, { message: msg('Failed to load teams') })
  return list
}
