import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ImportFault } from '@community/contract'
import type { Reader } from '@community/db'
import { z } from 'zod'
import { findMigration } from './queries.ts'

/** The last entry of an archive. */
export const MANIFEST = 'manifest.json'
/** The version of the archive's layout. */
export const FORMAT_VERSION = 1

const Manifest = z.strictObject({
  format: z.literal('community-archive'),
  version: z.literal(FORMAT_VERSION),
  exportedAt: z.iso.datetime(),
  /** The hash of the newest migration. */
  schema: z.string(),
  /** Where the product was reached: the URLs of files begin with it. */
  appUrl: z.url(),
  /** Rows by table. */
  tables: z.record(z.string(), z.int().nonnegative()),
  objects: z.int().nonnegative(),
  /** Keys of files that the storage has lost, or that were deleted during the export. */
  missingFiles: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

/** A mistake in the command’s arguments, or an invalid archive. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'

  constructor(
    message: string,
    readonly fault: ImportFault = 'not-an-archive',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ArchiveError(`The archive’s ${MANIFEST} is not JSON`, 'not-an-archive', { cause: error })
  }
}

export function parseManifest(text: string): Manifest {
  const { data, error } = Manifest.safeParse(parseJson(text))
  if (data) return data
  throw new ArchiveError(`The archive’s ${MANIFEST} is not one that this version reads: ${z.prettifyError(error)}`)
}

const Journal = z.object({ entries: z.array(z.object({ when: z.number() })) })

/** The hash of the newest migration. Throws unless the database has exactly the migrations of this version. */
export async function currentSchema(db: Reader, migrationsDir: string): Promise<string> {
  const journal = Journal.parse(JSON.parse(await readFile(path.join(migrationsDir, 'meta', '_journal.json'), 'utf8')))
  const migration = await findMigration(db)
  if (migration && migration.at === journal.entries.at(-1)?.when) return migration.hash
  throw new ArchiveError(
    'The database has the schema of another version: run the command of the version that serves it',
    'other-version',
  )
}
