import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { findTeams } from './list-queries.ts'
import { loadTeamViews } from './views.ts'

type ListRoute = typeof contract.teams.list

/** A page of active teams: four statements for signed-in users, three for visitors. */
export async function listTeams(ctx: Context, input: ParsedInput<ListRoute>): Promise<Output<ListRoute>> {
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
