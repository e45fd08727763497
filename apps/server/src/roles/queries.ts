import { type Reader, prepared } from '@community/db'
import { roles } from '@community/db/schema'
import { asc, sql } from 'drizzle-orm'

export const roleColumns = {
  id: roles.id,
  name: roles.name,
  emoji: roles.emoji,
  description: roles.description,
  category: roles.category,
  requirements: roles.requirements,
}

const rolesInOrder = prepared('roles.all', (db) =>
  db.select(roleColumns).from(roles).orderBy(asc(roles.position), asc(roles.name)).limit(sql.placeholder('limit')),
)
/** Roles in the order of the specification, then added ones by name. */
export const findRoles = (db: Reader, limit: number) => rolesInOrder(db, { limit: limit })
