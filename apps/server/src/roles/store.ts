import { type Reader, statement } from '@community/db'
import { roles } from '@community/db/schema'
import { asc, sql } from 'drizzle-orm'

const firstRoles = statement('roles.all', (db) =>
  db
    .select({
      id: roles.id,
      name: roles.name,
      emoji: roles.emoji,
      description: roles.description,
      category: roles.category,
      requirements: roles.requirements,
    })
    .from(roles)
    .orderBy(asc(roles.position), asc(roles.name))
    .limit(sql.placeholder('limit')),
)
/** The roles, in the order of the specification; added ones follow by name. */
export const findRoles = (db: Reader, most: number) => firstRoles(db, { limit: most })
