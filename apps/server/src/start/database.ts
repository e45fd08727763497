import { access } from 'node:fs/promises'
import path from 'node:path'
import { codesOf, type Connection, connect, isDatabaseAway, migrate, probeServer } from '@community/db'
import { type Env, EnvError } from '../env.ts'
import { reasonOf, unusable } from './unusable.ts'

/** Milliseconds an address may stay silent. */
const PATIENCE = 8000
const OLDEST = 15

/** What PostgreSQL's and the system's codes mean to whoever wrote the setting. */
function adviceOf(error: unknown, url: string): string | null {
  const { host, pathname, username } = new URL(url)
  const [database, user] = [decodeURIComponent(pathname.slice(1)) || username, decodeURIComponent(username)]
  const has = (...codes: string[]) => codesOf(error).some((code) => codes.includes(code))
  if (has('28P01', '28000'))
    return `the PostgreSQL at ${host} refuses the user "${user}": correct the user or the password`
  if (has('3D000')) return `the PostgreSQL at ${host} has no database "${database}": create it, or name another`
  if (has('42501'))
    return `the user "${user}" may not create what the product needs in the database "${database}" (${reasonOf(error)}): let them own it, or grant them CREATE on it and on its schema public`
  if (has('25006')) return `the database "${database}" at ${host} is read-only: name the primary server`
  if (has('58P01', '0A000'))
    return `the PostgreSQL at ${host} lacks an extension (${reasonOf(error)}): install PostgreSQL's contrib package`
  if (has('53300')) return `the PostgreSQL at ${host} has no free connection for the user "${user}"`
  if (has('57P03')) return `the PostgreSQL at ${host} is not ready (${reasonOf(error)}): start again when it is`
  if (has('08P01'))
    return `what answers at ${host} refuses a session's settings (${reasonOf(error)}): name the server itself, not a pooler`
  if (isDatabaseAway(error))
    return `no PostgreSQL answers at ${host} (${codesOf(error)[0] ?? 'no answer in time'}): start it there, or correct the address`
  return null
}

/** Runs a step of opening the database that a setting names; its failure is told as that setting's. */
async function naming<T>(url: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const advice = adviceOf(error, url)
    if (advice === null) throw error
    throw unusable('DATABASE_URL', advice)
  }
}

/** Throws where DATABASE_URL does not lead to a PostgreSQL that lets us in and is new enough. */
async function checkServer(url: string): Promise<void> {
  const version = await naming(url, () => probeServer(url, PATIENCE)).catch((error: unknown) => {
    if (error instanceof EnvError) throw error
    throw unusable(
      'DATABASE_URL',
      `cannot be used (${reasonOf(error)}); it must lead to a PostgreSQL ${OLDEST} or newer, such as postgres://user:password@host:5432/community`,
    )
  })
  if (version < OLDEST * 10_000)
    throw unusable(
      'DATABASE_URL',
      `the server at ${new URL(url).host} is PostgreSQL ${Math.trunc(version / 10_000)}; it must be ${OLDEST} or newer`,
    )
}

/** Throws where there are no migrations: before a PostgreSQL is started for them. */
export async function checkMigrations({ migrationsDir }: Env): Promise<void> {
  await access(path.join(migrationsDir, 'meta', '_journal.json')).catch((error: unknown) => {
    throw unusable(
      'MIGRATIONS_DIR',
      `${migrationsDir} holds no migrations (${reasonOf(error)}); name the folder that has them`,
    )
  })
}

/** A pool on the database at `url`, brought up to date. Its own failures are told as DATABASE_URL's where that names it. */
export async function openDatabase(url: string, { databaseUrl, migrationsDir }: Env): Promise<Connection> {
  if (databaseUrl === undefined) {
    await migrate(url, migrationsDir)
    return connect(url)
  }
  await checkServer(url)
  return naming(url, async () => {
    await migrate(url, migrationsDir)
    const connection = connect(url)
    try {
      // The pool asks for more than the migration does: poolers refuse some of it.
      await connection.sql`select 1`
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  })
}
