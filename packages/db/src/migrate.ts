import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { codesOf } from './errors.ts'

/** Any two numbers of our own: whoever holds this lock migrates. */
const LOCK = [727_274, 1] as const

/** Everybody queues behind a migration that waits for a table: it waits a second, lets them pass, and tries again. */
const LOCK_PATIENCE = '1s'
const TRIES = 30

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
    await sql`select set_config('lock_timeout', ${LOCK_PATIENCE}, false)`
    for (let attempt = 1; ; attempt++)
      try {
        // All that are missing, in one transaction.
        return await runMigrations(drizzle(sql), { migrationsFolder: folder })
      } catch (error) {
        if (attempt >= TRIES || !codesOf(error).includes('55P03')) throw error
        await sleep(500 + Math.random() * 1000)
      }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
