import type { contract, Output } from '@community/contract'
import type { Context } from '../context.ts'
import { findRoles } from './queries.ts'

/** Far more than administrators will add; it only bounds the response. */
const ROLES_MAX = 1000

/** All roles a team may need, unpaged. */
export async function listRoles({ db }: Context): Promise<Output<typeof contract.roles.list>> {
  const rows = await findRoles(db, ROLES_MAX)
  return { roles: rows.map((role) => ({ ...role, _id: role.id })) }
}
