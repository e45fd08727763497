import { type contract, type Output, type Parsed, searchKey } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { paginationOf } from '../paging.ts'
import { findUsers } from './page-store.ts'
import { userOf } from './views.ts'

type List = typeof contract.users.list

/** All accounts, page by page, for administrators: by name or e-mail, role and status. */
export async function listUsers({ db }: MemberContext, input: Parsed<List>): Promise<Output<List>> {
  const page = await findUsers(db, input, searchKey(input.search ?? ''))
  return { users: page.rows.map(userOf), pagination: paginationOf(input, page) }
}
