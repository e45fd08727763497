import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { buildIndexes } from '@community/db'
import { parseDatabaseUrl } from '@community/db/database-url'
import type { Config } from '../config.ts'
import type { Deps } from '../context.ts'
import { importArchive } from '../data-export/archive/import-archive.ts'
import { ArchiveError } from '../data-export/archive/manifest.ts'
import { type Progress, createArchiveStream } from '../data-export/archive/write-archive.ts'
import { openStorageAndDatabase } from '../deps.ts'
import { createPrimaryRead } from '../database/replica.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { createLog } from '../observability/log.ts'
import { type DatabaseSetting, toSettingError } from './database-setting-errors.ts'
import { describeError } from './setting-errors.ts'
import { openPool, waitForDatabase } from './wait-for-database.ts'

const PROGRESS_INTERVAL_MS = 2000

/** Returns a function that prints progress, at most one line in two seconds. */
function createProgressPrinter(): Progress {
  let printedAt = Date.now()
  return (subject, done, total) => {
    if (Date.now() - printedAt < PROGRESS_INTERVAL_MS) return
    printedAt = Date.now()
    const ofTotal = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
    process.stdout.write(`${subject}: ${done.toLocaleString('en')}${ofTotal}\n`)
  }
}

type CommandDeps = Pick<Deps, 'db' | 'readExport' | 'storage' | 'config'>

/** Replaces the error of an unavailable service by an `ArchiveError`, which is printed without a stack. */
function explainUnavailable(error: unknown, { databaseDirectUrl }: Config, url: string): unknown {
  const setting: DatabaseSetting = databaseDirectUrl
    ? { name: 'DATABASE_DIRECT_URL', url: databaseDirectUrl }
    : { name: 'DATABASE_URL', url }
  const reason =
    error instanceof StorageUnavailable
      ? `${error.message} (${describeError(error.cause)})`
      : toSettingError(error, setting)?.message
  return reason === undefined ? error : new ArchiveError(`${reason}. Run the command again afterwards.`)
}

/** Opens the storage and the database for `work`, and closes them. With `migrates`, migrates the database first. */
async function withStorageAndDatabase(
  { config, migrates }: { config: Config; migrates: boolean },
  work: (deps: CommandDeps) => Promise<void>,
) {
  // The first process of a container ignores signals without a handler.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const log = createLog(config.logLevel)
  const { storage, databaseUrl, close } = await openStorageAndDatabase(config, log)
  const { hosts, first } = parseDatabaseUrl(config.databaseDirectUrl ?? databaseUrl)
  process.stdout.write(`Database: ${first.pathname.slice(1)} at ${hosts.join(', ')}\n`)
  try {
    if (migrates)
      await waitForDatabase({ url: databaseUrl, config, log, shutdown: new AbortController().signal }, () =>
        // While the tables are still empty.
        buildIndexes(config.databaseDirectUrl ?? databaseUrl),
      )
    // A statement of an import may take minutes.
    const pool = openPool(config.databaseDirectUrl ?? databaseUrl, { max: 1, hasAnswerTimeout: false })
    try {
      await work({ db: pool.db, readExport: createPrimaryRead(pool.db), storage, config })
    } catch (error) {
      throw explainUnavailable(error, config, databaseUrl)
    } finally {
      await pool.close()
    }
  } finally {
    await close()
  }
}

function assertFileGiven(file: string | undefined, command: string): asserts file is string {
  if (file === undefined) throw new ArchiveError(`Name the archive: main.js ${command} archive.zip`)
}

/** Exports everything to `file`. Writes to a temporary file first, so that `file` is never incomplete. */
export async function exportTo(file: string | undefined, config: Config): Promise<void> {
  assertFileGiven(file, 'export')
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new ArchiveError(`${file} exists: name a new file`)
  const partial = `${file}.part`
  await withStorageAndDatabase({ config, migrates: false }, async (deps) => {
    try {
      await pipeline(createArchiveStream(deps, createProgressPrinter()), createWriteStream(partial, { mode: 0o600 }))
      const handle = await open(partial)
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(partial, file)
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  })
  process.stdout.write(`Exported to ${path.resolve(file)}\n`)
}

/** Imports the archive `file` into an empty product. */
export async function importFrom(file: string | undefined, config: Config): Promise<void> {
  assertFileGiven(file, 'import')
  await withStorageAndDatabase({ config, migrates: true }, async (deps) => {
    const { tables, objects, missingFiles } = await importArchive(file, deps, { onProgress: createProgressPrinter() })
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
    process.stdout.write(`Imported ${rows.toLocaleString('en')} rows and ${objects.toLocaleString('en')} files\n`)
    if (missingFiles.length > 0)
      process.stdout.write(`The archive lacks ${missingFiles.length.toLocaleString('en')} files: see its manifest\n`)
  })
}
