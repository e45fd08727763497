import { type contract, type Output, type Parsed, searchKey } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { paginationOf } from '../paging.ts'
import { findTeams } from './page-store.ts'
import { viewTeams } from './views.ts'

type List = typeof contract.teams.list

/** Active teams, page by page: four statements for signed-in people, three for visitors. */
export async function listTeams({ db, user }: VisitorContext, input: Parsed<List>): Promise<Output<List>> {
  const page = await findTeams(db, {
    ...input,
    search: searchKey(input.search ?? ''),
    searchDescriptions: user !== null,
    includeInactive: input.includeInactive && user?.role === 'admin',
  })
  return {
    teams: await viewTeams(db, page.rows, user),
    pagination: paginationOf(input, page),
  }
}
