import { type contract, limits } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findRoles } from './queries.ts'

/** All roles a team may need, unpaged. */
export const listRoles: UseCase<typeof contract.roles.list> = async ({ db }) => {
  const rows = await findRoles(db, limits.ROLES_MAX)
  return { roles: rows.map((role) => ({ ...role, _id: role.id })) }
}
