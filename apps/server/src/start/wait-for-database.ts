import { access } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  codesOf,
  type Connection,
  type ConnectOptions,
  connect,
  isDatabaseUnavailable,
  migrate,
  probeServer,
} from '@community/db'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError } from '../config.ts'
import { Away, away, reasonOf, unusable } from './setting-errors.ts'

/** Milliseconds per connection attempt and between two: the server is ready within 3 s of the database's return. */
const PATIENCE = 2500
const RETRY = 300
const OLDEST = 15

/** Maps error codes of PostgreSQL and the system to an error about DATABASE_URL; null for other errors. */
function problemOf(error: unknown, url: string): ConfigError | null {
  const { hostname, port, pathname, username } = new URL(url)
  const at = `${hostname}:${port || 5432}`
  const [database, user] = [decodeURIComponent(pathname.slice(1)) || username, decodeURIComponent(username)]
  const has = (...codes: string[]) => codesOf(error).some((code) => codes.includes(code))
  const wrong = (problem: string) => unusable('DATABASE_URL', problem)
  const missing = (problem: string) => away('DATABASE_URL', problem)
  if (has('ENOTFOUND')) return wrong(`no machine is known by the name ${hostname}: correct the address`)
  if (has('28P01', '28000'))
    return wrong(`the PostgreSQL at ${at} refuses the user "${user}": correct the user or the password`)
  if (has('3D000')) return wrong(`the PostgreSQL at ${at} has no database "${database}": create it, or name another`)
  if (has('42501'))
    return wrong(
      `the user "${user}" may not create what the product needs in the database "${database}" (${reasonOf(error)}): let them own it, or grant them CREATE on it and on its schema public`,
    )
  if (has('25006')) return wrong(`the database "${database}" at ${at} is read-only: name the primary server`)
  if (has('58P01', '0A000'))
    return wrong(
      `the PostgreSQL at ${at} lacks an extension (${reasonOf(error)}): install PostgreSQL's contrib package`,
    )
  if (has('08P01'))
    return wrong(
      `what answers at ${at} refuses a session's settings (${reasonOf(error)}): name the server itself, not a pooler`,
    )
  if (has('53300')) return missing(`the PostgreSQL at ${at} has no free connection for the user "${user}"`)
  if (has('57P03')) return missing(`the PostgreSQL at ${at} is not ready (${reasonOf(error)})`)
  if (isDatabaseUnavailable(error))
    return missing(
      `no PostgreSQL answers at ${at} (${codesOf(error)[0] ?? 'no answer in time'}): start it there, or correct the address`,
    )
  return null
}

const useless = (error: unknown) =>
  unusable(
    'DATABASE_URL',
    `cannot be used (${reasonOf(error)}); it must lead to a PostgreSQL ${OLDEST} or newer, such as postgres://user:password@host:5432/community`,
  )

/** Throws unless DATABASE_URL leads to a PostgreSQL that accepts the credentials and is new enough. */
async function checkServer(url: string): Promise<void> {
  const version = await probeServer(url, PATIENCE).catch((error: unknown) => {
    throw problemOf(error, url) ?? useless(error)
  })
  if (version < OLDEST * 10_000)
    throw unusable(
      'DATABASE_URL',
      `the server at ${new URL(url).host} is PostgreSQL ${Math.trunc(version / 10_000)}; it must be ${OLDEST} or newer`,
    )
}

/** Throws if there are no migrations, before the embedded PostgreSQL is started. */
export async function checkMigrations({ migrationsDir }: Config): Promise<void> {
  await access(path.join(migrationsDir, 'meta', '_journal.json')).catch((error: unknown) => {
    throw unusable(
      'MIGRATIONS_DIR',
      `${migrationsDir} holds no migrations (${reasonOf(error)}); name the folder that has them`,
    )
  })
}

/** Creates a pool for the database at `url` without connecting. */
export function openPool(url: string, options?: ConnectOptions): Connection {
  try {
    return connect(url, options)
  } catch (error) {
    throw useless(error)
  }
}

export interface Waiting {
  url: string
  config: Config
  log: FastifyBaseLogger
  /** Aborts the wait. */
  leaving: AbortSignal
}

/**
 * Migrates the database, then runs `initialize`. Retries both while the database of DATABASE_URL is unavailable, and logs each reason
 * once. Throws `ConfigError` for a wrong setting.
 */
export async function onceDatabaseIsThere<T>(
  { url, config, log, leaving }: Waiting,
  step: () => Promise<T>,
): Promise<T> {
  const begin = async () => {
    await migrate(url, config.migrationsDir)
    return step()
  }
  if (config.databaseUrl === undefined) return begin()
  const told = new Set<string>()
  for (;;)
    try {
      await checkServer(url)
      return await begin()
    } catch (error) {
      const problem = error instanceof ConfigError ? error : problemOf(error, url)
      if (!(problem instanceof Away)) throw problem ?? error
      if (!told.has(problem.message))
        log.error(`${problem.message}. Until it answers every call is 503; it is tried again.`)
      told.add(problem.message)
      await sleep(RETRY, undefined, { signal: leaving })
    }
}
