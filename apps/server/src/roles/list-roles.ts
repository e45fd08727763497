import { type contract, limits, type Output } from '@community/contract'
import type { Context } from '../context.ts'
import { findRoles } from './queries.ts'

/** All roles a team may need, unpaged. */
export async function listRoles({ db }: Context): Promise<Output<typeof contract.roles.list>> {
  const rows = await findRoles(db, limits.ROLES_MAX)
  return { roles: rows.map((role) => ({ ...role, _id: role.id })) }
}
