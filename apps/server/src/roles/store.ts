import { statement } from '@community/db'
import { roles } from '@community/db/schema'
import { asc } from 'drizzle-orm'

/** All roles, in the order of the specification; added ones follow by name. */
export const findRoles = statement('roles.all', (db) =>
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
    .orderBy(asc(roles.position), asc(roles.name)),
)
