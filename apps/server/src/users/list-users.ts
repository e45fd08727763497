import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { paginationOf } from '../pagination/keyset.ts'
import { searching } from '../search/search-limit.ts'
import { findUsers } from './list-queries.ts'
import { userOf } from './views.ts'

type List = typeof contract.users.list

/** A page of all accounts for administrators, filtered by name or email address, role and status. */
export async function listUsers(ctx: MemberContext, input: Parsed<List>): Promise<Output<List>> {
  const page = await searching(ctx, input.search, (db, search) => findUsers(db, input, search))
  return { users: page.rows.map(userOf), pagination: paginationOf(input, page) }
}
