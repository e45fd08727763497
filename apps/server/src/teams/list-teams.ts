import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { findTeams } from './list-queries.ts'
import { loadTeamViews } from './views.ts'

/** A page of active teams: four statements for signed-in users, three for visitors. */
export const listTeams: UseCase<typeof contract.teams.list> = async (ctx, input) => {
  const { user } = ctx
  const page = await runSearch(ctx, input.search, (db, search) =>
    findTeams(db, {
      ...input,
      // Visitors may not learn member counts, which this order and its cursor would reveal.
      sort: user === null && input.sort === 'members' ? 'name' : input.sort,
      search,
      searchesDescriptions: user !== null,
      includeInactive: input.includeInactive && user?.role === 'admin',
    }),
  )
  return {
    teams: await loadTeamViews(ctx, page.rows),
    pagination: toPagination(input, page),
  }
}
