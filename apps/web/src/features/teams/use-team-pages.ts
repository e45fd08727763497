import type { TeamView } from '@community/contract'
import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { type TeamFilters, TEAMS_PER_PAGE } from './filters.ts'

export interface TeamPages {
  teams: TeamView[]
  /** How many match in all; undefined until known. */
  total: number | undefined
  hasMore: boolean
  /** Nothing to show yet. */
  isLoading: boolean
  /** What is shown is about to be replaced: it belongs to filters that were left. */
  isStale: boolean
  isLoadingMore: boolean
  error: unknown
  retry: () => void
}

// A team that slid over the edge between two pages must not stand twice.
const withoutRepeats = (teams: TeamView[]): TeamView[] => [...new Map(teams.map((team) => [team.id, team])).values()]

/** The first pages of the teams that match. A failure is also told as a toast. */
export function useTeamPages(filters: TeamFilters, pages: number): TeamPages {
  const search = filters.search.trim().slice(0, SEARCH_LENGTH_MAX)
  const input = {
    limit: TEAMS_PER_PAGE,
    sort: filters.sort,
    order: filters.order,
    ...(search && { search }),
    ...(filters.role && { role: filters.role }),
  }
  const queries = trpc.useQueries((calls) =>
    Array.from({ length: pages }, (_, index) =>
      calls.teams.list({ ...input, page: index + 1 }, { placeholderData: keepPreviousData }),
    ),
  )
  const [first] = queries
  const error = queries.find((query) => query.error)?.error ?? null
  const known = queries.findLast((query) => query.data)?.data
  useEffect(() => {
    if (error) toast.error(t('Error'), t('Failed to load teams'))
  }, [error])
  return {
    teams: withoutRepeats(queries.flatMap((query) => query.data?.teams ?? [])),
    total: known?.pagination.total,
    hasMore: known !== undefined && known.pagination.page < known.pagination.totalPages,
    isLoading: !first?.data && !first?.error,
    isStale: queries.some((query) => query.isPlaceholderData),
    isLoadingMore: pages > 1 && queries.some((query) => query.isFetching && !query.data),
    error,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch()
    },
  }
}
