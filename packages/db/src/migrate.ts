import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { hostOptions } from './database-url.ts'
import { codesOf } from './errors.ts'

const { migrations: MIGRATION_LOCK, indexBuilds: INDEX_LOCK } = ADVISORY_LOCKS

/** All queries queue behind a migration that waits for a table lock, so it waits a second, lets them run, and retries. */
const LOCK_TIMEOUT = '1s'
const ATTEMPTS_MAX = 30
/** A lock that was not granted in time, and a deadlock with the previous version's transactions. */
const RETRIED_CODES = ['55P03', '40P01']
/** `create index concurrently` waits for transactions that started before it. */
const INDEX_LOCK_TIMEOUT = '30s'

/** Indexes that were added to tables after a release: in a migration they would block writes while they are built. */
const CONCURRENT_INDEXES: [name: string, table: string, definition: string][] = [
  ['jobs_due_of_kind', 'jobs', `(kind, available_at) where status = 'pending'`],
  ...['teams', 'challenges', 'users'].map((table): [string, string, string] => [
    `${table}_word_starts`,
    table,
    'using gin (word_starts(search_text))',
  ]),
  ['teams_ranked', 'teams', `((-points), coalesce(points_reached_at, 'infinity'), name_key)`],
  ['teams_updated', 'teams', '(updated_at)'],
  ['submissions_updated', 'submissions', '(updated_at)'],
  ['submissions_approved_of_challenge', 'submissions', `(challenge_id, evaluated_at) where status = 'approved'`],
  ['submissions_approved_latest', 'submissions', `(evaluated_at, challenge_id) where status = 'approved'`],
  ['jobs_recipient', 'jobs', `(recipient) where recipient is not null`],
  ['codes_email', 'codes', '(email)'],
  ['users_admins', 'users', `(id) where role = 'admin'`],
  ['users_banned', 'users', '(id) where is_banned'],
  ['submissions_best', 'submissions', '((-coalesce(score, 0)), created_at, id)'],
  ['submissions_rejected', 'submissions', `(created_at desc nulls last, id) where status = 'rejected'`],
  ['submissions_waiting', 'submissions', `(coalesce(resubmitted_at, created_at), id) where status = 'pending'`],
]

/** In place of a role's defaults, which are meant for requests. As text, because the driver omits the number 0. */
const NO_TIMEOUTS: Record<string, string> = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** The migrations in the source tree. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url))

const open = (url: string) =>
  postgres(url, { max: 1, onnotice: () => {}, ...hostOptions(url, 10), connection: NO_TIMEOUTS })

/** Applies the missing migrations to the database at `url`, then builds its missing indexes. */
export async function migrate(url: string, folder?: string): Promise<void> {
  await applyMigrations(url, folder)
  await buildIndexes(url)
}

/**
 * Applies the missing migrations to the database at `url`. Safe when several servers start at once, because of a session-level advisory
 * lock; therefore the URL must not lead to a transaction pooler.
 */
export async function applyMigrations(url: string, folder: string = MIGRATIONS_DIR): Promise<void> {
  const sql = open(url)
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK[0]}, ${MIGRATION_LOCK[1]})`
    if (await isMigrated(sql, folder)) return
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`
    for (let attempt = 1; ; attempt++)
      try {
        // Runs all missing migrations in one transaction.
        await runMigrations(drizzle(sql), { migrationsFolder: folder })
        break
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX || !codesOf(error).some((code) => RETRIED_CODES.includes(code))) throw error
        await sleep(500 + Math.random() * 1000)
      }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

interface Journal {
  entries: { when: number }[]
}

/** Whether no migration is missing, as Drizzle decides it, but without reading them all. */
async function isMigrated(sql: postgres.Sql, folder: string): Promise<boolean> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`
  if (!table?.exists) return false
  const [last] = await sql<
    { when: string | null }[]
  >`select max(created_at) as "when" from drizzle.__drizzle_migrations`
  const journal = JSON.parse(await readFile(path.join(folder, 'meta', '_journal.json'), 'utf8')) as Journal
  return journal.entries.every(({ when }) => when <= Number(last?.when ?? 0))
}

/**
 * Builds missing indexes concurrently, which is not possible in a transaction; none of them is unique. Without them queries are slow, some
 * of them too slow on large tables. Resolves with false if some may still be missing: another process builds them, or an old transaction
 * does not end. `signal` disconnects: PostgreSQL finishes the index being built, and the promise rejects.
 */
export async function buildIndexes(url: string, signal?: AbortSignal): Promise<boolean> {
  const sql = open(url)
  const disconnect = () => void sql.end({ timeout: 0 })
  signal?.addEventListener('abort', disconnect)
  try {
    const [state] = await sql<{ isWanted: boolean; isMine: boolean }[]>`
      select to_regproc('word_starts') is not null as "isWanted", pg_try_advisory_lock(${INDEX_LOCK[0]}, ${INDEX_LOCK[1]}) as "isMine"`
    if (!state?.isWanted) return true
    if (!state.isMine) return false
    await sql`select set_config('lock_timeout', ${INDEX_LOCK_TIMEOUT}, false)`
    for (const index of CONCURRENT_INDEXES) await buildIndex(sql, ...index)
    // Replaced by `jobs_due_of_kind`. The planner would use it at times, and read the due jobs of all kinds.
    await sql`drop index concurrently if exists jobs_due`
    return true
  } catch (error) {
    // A transaction that one build waited for in vain would keep the others waiting too.
    if (!codesOf(error).includes('55P03')) throw error
    return false
  } finally {
    signal?.removeEventListener('abort', disconnect)
    await sql.end({ timeout: 5 })
  }
}

async function buildIndex(sql: postgres.Sql, name: string, table: string, definition: string): Promise<void> {
  const [index] = await sql<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`
  if (index?.isValid) return
  // An interrupted build leaves an invalid index, which is maintained but not used.
  if (index) await sql`drop index concurrently ${sql(name)}`
  await sql`create index concurrently ${sql(name)} on ${sql(table)} ${sql.unsafe(definition)}`
}
