import type { RoleInput } from '@community/contract'
import { onlyRow, type Reader, prepared, type Tx } from '@community/db'
import { roles } from '@community/db/schema'
import { asc, sql } from 'drizzle-orm'

const columns = {
  id: roles.id,
  name: roles.name,
  emoji: roles.emoji,
  description: roles.description,
  category: roles.category,
  requirements: roles.requirements,
}

const rolesInOrder = prepared('roles.all', (db) =>
  db.select(columns).from(roles).orderBy(asc(roles.position), asc(roles.name)).limit(sql.placeholder('limit')),
)
/** Roles in the order of the specification, then added ones by name. */
export const findRoles = (db: Reader, limit: number) => rolesInOrder(db, { limit: limit })

export async function insertRole(tx: Tx, input: RoleInput) {
  return onlyRow(await tx.insert(roles).values(input).returning(columns))
}
