import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { paginationOf } from '../pagination/keyset.ts'
import { searching } from '../search/search-limit.ts'
import { findTeams } from './list-queries.ts'
import { viewTeams } from './views.ts'

type List = typeof contract.teams.list

/** Active teams, page by page: four statements for signed-in people, three for visitors. */
export async function listTeams(ctx: VisitorContext, input: Parsed<List>): Promise<Output<List>> {
  const { user } = ctx
  const page = await searching(ctx, input.search, (db, search) =>
    findTeams(db, {
      ...input,
      // How many members a team has is not for visitors: its place in the list, and the cursor, would tell it.
      sort: user === null && input.sort === 'members' ? 'name' : input.sort,
      search,
      searchDescriptions: user !== null,
      includeInactive: input.includeInactive && user?.role === 'admin',
    }),
  )
  return {
    teams: await viewTeams(ctx.db, page.rows, user),
    pagination: paginationOf(input, page),
  }
}
