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
import { ServiceUnavailable, unavailableService, describeError, unusableSetting } from './setting-errors.ts'

/** Milliseconds per connection attempt and between two: the server is ready within 3 s of the database's return. */
const PROBE_TIMEOUT_MS = 2500
const RETRY_MS = 300
const VERSION_MIN = 15

/** Maps error codes of PostgreSQL and the system to an error about DATABASE_URL; null for other errors. */
function toSettingError(error: unknown, url: string): ConfigError | null {
  const { hostname, port, pathname, username } = new URL(url)
  const server = `${hostname}:${port || 5432}`
  const [database, user] = [decodeURIComponent(pathname.slice(1)) || username, decodeURIComponent(username)]
  const hasCode = (...codes: string[]) => codesOf(error).some((code) => codes.includes(code))
  const unusable = (problem: string) => unusableSetting('DATABASE_URL', problem)
  const unavailable = (problem: string) => unavailableService('DATABASE_URL', problem)
  if (hasCode('ENOTFOUND')) return unusable(`unknown host ${hostname}: correct the address`)
  if (hasCode('28P01', '28000'))
    return unusable(`the PostgreSQL at ${server} refuses the user "${user}": correct the user or the password`)
  if (hasCode('3D000'))
    return unusable(`the PostgreSQL at ${server} has no database "${database}": create it, or name another`)
  if (hasCode('42501'))
    return unusable(
      `the user "${user}" may not create what the product needs in the database "${database}" (${describeError(error)}): let them own it, or grant them CREATE on it and on its schema public`,
    )
  if (hasCode('25006')) return unusable(`the database "${database}" at ${server} is read-only: name the primary server`)
  if (hasCode('58P01', '0A000'))
    return unusable(
      `the PostgreSQL at ${server} lacks an extension (${describeError(error)}): install PostgreSQL's contrib package`,
    )
  if (hasCode('08P01'))
    return unusable(
      `what answers at ${server} refuses a session's settings (${describeError(error)}): name the server itself, not a pooler`,
    )
  if (hasCode('53300')) return unavailable(`the PostgreSQL at ${server} has no free connection for the user "${user}"`)
  if (hasCode('57P03')) return unavailable(`the PostgreSQL at ${server} is not ready (${describeError(error)})`)
  if (isDatabaseUnavailable(error))
    return unavailable(
      `no PostgreSQL answers at ${server} (${codesOf(error)[0] ?? 'no answer in time'}): start it there, or correct the address`,
    )
  return null
}

const unusableDatabaseUrl = (error: unknown) =>
  unusableSetting(
    'DATABASE_URL',
    `cannot be used (${describeError(error)}); it must lead to a PostgreSQL ${VERSION_MIN} or newer, such as postgres://user:password@host:5432/community`,
  )

/** Throws unless DATABASE_URL leads to a PostgreSQL that accepts the credentials and is new enough. */
async function checkServer(url: string): Promise<void> {
  const version = await probeServer(url, PROBE_TIMEOUT_MS).catch((error: unknown) => {
    throw toSettingError(error, url) ?? unusableDatabaseUrl(error)
  })
  if (version < VERSION_MIN * 10_000)
    throw unusableSetting(
      'DATABASE_URL',
      `the server at ${new URL(url).host} is PostgreSQL ${Math.trunc(version / 10_000)}; it must be ${VERSION_MIN} or newer`,
    )
}

/** Throws if there are no migrations, before the embedded PostgreSQL is started. */
export async function checkMigrations({ migrationsDir }: Config): Promise<void> {
  await access(path.join(migrationsDir, 'meta', '_journal.json')).catch((error: unknown) => {
    throw unusableSetting(
      'MIGRATIONS_DIR',
      `${migrationsDir} holds no migrations (${describeError(error)}); name the folder that has them`,
    )
  })
}

/** Creates a pool for the database at `url` without connecting. */
export function openPool(url: string, options?: ConnectOptions): Connection {
  try {
    return connect(url, options)
  } catch (error) {
    throw unusableDatabaseUrl(error)
  }
}

interface WaitOptions {
  url: string
  config: Config
  log: FastifyBaseLogger
  /** Aborts the wait. */
  shutdown: AbortSignal
}

/**
 * Migrates the database, then runs `initialize`. Retries both while the database of DATABASE_URL is unavailable, and logs each reason
 * once. Throws `ConfigError` for a wrong setting.
 */
export async function waitForDatabase<T>(
  { url, config, log, shutdown }: WaitOptions,
  initialize: () => Promise<T>,
): Promise<T> {
  const prepare = async () => {
    await migrate(url, config.migrationsDir)
    return initialize()
  }
  if (config.databaseUrl === undefined) return prepare()
  const logged = new Set<string>()
  for (;;)
    try {
      await checkServer(url)
      return await prepare()
    } catch (error) {
      const problem = error instanceof ConfigError ? error : toSettingError(error, url)
      if (!(problem instanceof ServiceUnavailable)) throw problem ?? error
      if (!logged.has(problem.message))
        log.error(`${problem.message}. Until it is available requests get 503; retrying.`)
      logged.add(problem.message)
      await sleep(RETRY_MS, undefined, { signal: shutdown })
    }
}
