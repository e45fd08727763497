import type { contract, Output } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findRoles } from './store.ts'

/** All roles a team may need, unpaged. */
export async function listRoles({ db }: VisitorContext): Promise<Output<typeof contract.roles.list>> {
  const rows = await findRoles(db)
  return { roles: rows.map((role) => ({ ...role, _id: role.id })) }
}
