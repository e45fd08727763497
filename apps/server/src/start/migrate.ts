import { buildIndexes } from '@community/db'
import type { Config } from '../config.ts'
import { createLog } from '../observability/log.ts'
import { unusableSetting } from './setting-errors.ts'
import { checkMigrations, waitForDatabase } from './wait-for-database.ts'

/** Migrates the database of DATABASE_URL, once it is available, and builds its missing indexes. Throws `ConfigError` for a wrong setting. */
export async function migrateOnly(config: Config): Promise<void> {
  const { databaseUrl: url } = config
  if (url === undefined)
    throw unusableSetting('DATABASE_URL', 'is missing: the embedded PostgreSQL is migrated when the server starts')
  await checkMigrations(config)
  // The first process of a container ignores signals without a handler. PostgreSQL rolls an unfinished migration back.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const log = createLog(config.logLevel)
  await waitForDatabase({ url, config, log, shutdown: new AbortController().signal }, () =>
    buildIndexes(config.databaseDirectUrl ?? url),
  )
  log.info('the database is migrated')
}
