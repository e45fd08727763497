import type { Reader } from '@community/db'
import { users } from '@community/db/schema'
import { and, eq, isNotNull } from 'drizzle-orm'

/** The administrators who have a password, with its hash. */
export const findAdminHashes = (db: Reader) =>
  db
    .select({ id: users.id, hash: users.passwordHash })
    .from(users)
    .where(and(eq(users.role, 'admin'), isNotNull(users.passwordHash)))
