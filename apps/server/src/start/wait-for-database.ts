import { access } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  applyMigrations,
  type Connection,
  type ConnectOptions,
  connect,
  parseDatabaseUrl,
  probeServer,
} from '@community/db'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError } from '../config.ts'
import { checkPooler } from './check-pooler.ts'
import { type DatabaseSetting, toSettingError, unusableDatabaseUrl, VERSION_MIN } from './database-setting-errors.ts'
import { ServiceUnavailable, describeError, unusableSetting } from './setting-errors.ts'

/** Milliseconds per connection attempt and between two: the server is ready within 3 s of the database's return. */
const PROBE_TIMEOUT_MS = 2500
const RETRY_MS = 300

/** Throws unless the setting leads to a PostgreSQL that accepts the credentials and is new enough. */
async function checkServer(setting: DatabaseSetting): Promise<void> {
  const { name, url } = setting
  const version = await probeServer(url, PROBE_TIMEOUT_MS).catch((error: unknown) => {
    throw toSettingError(error, setting) ?? unusableDatabaseUrl(setting, error)
  })
  if (version < VERSION_MIN * 10_000)
    throw unusableSetting(
      name,
      `the server at ${parseDatabaseUrl(url).hosts.join(', ')} is PostgreSQL ${Math.trunc(version / 10_000)}; it must be ${VERSION_MIN} or newer`,
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
export function openPool(
  url: string,
  options?: ConnectOptions,
  name: DatabaseSetting['name'] = 'DATABASE_URL',
): Connection {
  try {
    return connect(url, options)
  } catch (error) {
    throw unusableDatabaseUrl({ name }, error)
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
  const { databaseUrl, databaseDirectUrl, databasePooler, migrationsDir } = config
  if (databaseUrl === undefined) {
    await applyMigrations(url, migrationsDir)
    return initialize()
  }
  const main: DatabaseSetting = { name: 'DATABASE_URL', url }
  const direct: DatabaseSetting = databaseDirectUrl ? { name: 'DATABASE_DIRECT_URL', url: databaseDirectUrl } : main
  /** The setting that is in use, which an error is about. */
  let current = direct
  const prepare = async () => {
    current = direct
    await checkServer(direct)
    await applyMigrations(direct.url, migrationsDir)
    current = main
    if (direct !== main) await checkServer(main)
    if (databasePooler) await checkPooler(url, databasePooler)
    return initialize()
  }
  const logged = new Set<string>()
  for (;;)
    try {
      return await prepare()
    } catch (error) {
      const problem = error instanceof ConfigError ? error : toSettingError(error, current)
      if (!(problem instanceof ServiceUnavailable)) throw problem ?? error
      if (!logged.has(problem.message))
        log.error(`${problem.message}. Until it is available requests get 503; retrying.`)
      logged.add(problem.message)
      await sleep(RETRY_MS, undefined, { signal: shutdown })
    }
}
