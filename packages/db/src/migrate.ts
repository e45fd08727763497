import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

/** Any two numbers of our own: whoever holds this lock migrates. */
const LOCK = [727_274, 1] as const

/** The migrations in the source tree. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url))

/**
 * Brings the database at `url` up to date. Safe when several servers start at once: an advisory lock of the session, on a
 * connection of its own. The URL must not go through a pooler that shares sessions.
 */
export async function migrate(url: string, folder: string = MIGRATIONS_DIR): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 })
  try {
    await sql`select pg_advisory_lock(${LOCK[0]}, ${LOCK[1]})`
    await runMigrations(drizzle(sql), { migrationsFolder: folder })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
