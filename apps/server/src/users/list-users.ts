import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { findUsers } from './list-queries.ts'
import { toUser } from './views.ts'

type ListRoute = typeof contract.users.list

/** A page of all accounts for administrators, filtered by name or email, role and status. */
export async function listUsers(ctx: AuthenticatedContext, input: ParsedInput<ListRoute>): Promise<Output<ListRoute>> {
  const page = await runSearch(ctx, input.search, (db, search) => findUsers(db, input, search))
  return { users: page.rows.map((row) => toUser(row, ctx.deps)), pagination: toPagination(input, page) }
}
