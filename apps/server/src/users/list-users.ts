import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { findUsers } from './list-queries.ts'
import { toUser } from './views.ts'

/** A page of all accounts for administrators, filtered by name or email, role and status. */
export const listUsers: UseCase<typeof contract.users.list> = async (ctx, input) => {
  const page = await runSearch(ctx, input.search, (db, search) => findUsers(db, input, search))
  return { users: page.rows.map((row) => toUser(row, ctx.deps)), pagination: toPagination(input, page) }
}
