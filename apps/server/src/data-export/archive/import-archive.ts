import { limits } from '@community/contract'
import type { Db, Tx } from '@community/db'
import type { Deps } from '../../context.ts'
import { checkKey, StorageUnavailable } from '../../integrations/storage.ts'
import { compactCounts } from '../../pagination/counts.ts'
import { fileKeyOf } from '../../previews/preview.ts'
import { isKey } from '../../uploads/file-url.ts'
import { hasPendingRemoval } from '../../uploads/queries.ts'
import { isSwept } from '../../uploads/sweep-orphans.ts'
import { changeFileUrls, lockForImport } from './commands.ts'
import { assertEmpty, importRows } from './import-rows.ts'
import { ArchiveError, currentSchema, type Manifest } from './manifest.ts'
import { type Archive, openArchive } from './read-archive.ts'
import { findSoleAdmin, mergeAdmin, type SoleAdmin } from './admin-commands.ts'
import type { Progress } from './write-archive.ts'

type ImportDeps = Pick<Deps, 'db' | 'storage' | 'config'>

/** An object that is older is stored again, so that no sweep deletes it before its row is committed. */
const STORED_AGE_MAX_MS = limits.DAY * 1000

const CONCURRENT_CHECKS = 8

/** Skips the objects that an interrupted import has stored. */
async function importObjects(archive: Archive, { storage }: ImportDeps, onProgress: Progress): Promise<void> {
  const total = archive.manifest.objects
  let count = 0
  for await (const { key, size, contentType, open } of archive.objects()) {
    if (!isKey(fileKeyOf(key)))
      throw new ArchiveError(`objects/${key} is not the name of a file of this product`, 'damaged')
    const stored = await storage.head(checkKey(key))
    if (stored?.size !== size || Date.now() - stored.modifiedAt.getTime() > STORED_AGE_MAX_MS)
      await storage.put(key, await open(), { contentType, size }).catch(async (error: unknown) => {
        await storage.remove(key).catch(() => {})
        // The storage reports a damaged archive as its own error.
        throw error instanceof Error && error.cause instanceof ArchiveError ? error.cause : error
      })
    onProgress('files', ++count, total)
  }
  if (count !== total) throw new ArchiveError(`The archive has ${count} files instead of ${total}`, 'damaged')
}

/** Throws `StorageUnavailable` for an object that was deleted since it was stored: another import stores it again. */
async function assertObjectsStored(archive: Archive, { storage }: ImportDeps): Promise<void> {
  const assertStored = async (key: string) => {
    if (!(await storage.head(key))) throw new StorageUnavailable(new Error(`${key} was deleted during the import`))
  }
  const batch: string[] = []
  for await (const { key } of archive.objects()) {
    if (isSwept(key)) batch.push(key)
    if (batch.length === CONCURRENT_CHECKS) await Promise.all(batch.splice(0).map(assertStored))
  }
  await Promise.all(batch.map(assertStored))
}

export interface ImportOptions {
  onProgress?: Progress
  /** The archive's name in errors. */
  label?: string
  /** Started in the admin area: one account exists, an administrator’s. Without it none may exist. */
  hasAdmin?: boolean
  /** Called once the manifest is read. */
  onOpen?: (manifest: Manifest) => void
  /** Called in the import’s transaction, after all rows are inserted. */
  beforeCommit?: (tx: Tx) => Promise<void>
}

/** Called twice, because others may write in between: early, before files are copied, and in the import’s transaction. */
async function lockAndAssertEmpty(tx: Tx, hasAdmin: boolean): Promise<SoleAdmin | undefined> {
  await lockForImport(tx)
  const admin = hasAdmin ? await findSoleAdmin(tx) : undefined
  await assertEmpty(tx, admin)
  return admin
}

/** The URLs of files begin with the address of the product. */
async function moveFileUrls(tx: Tx, { appUrl }: Manifest, config: Pick<Deps['config'], 'appUrl'>): Promise<void> {
  const [from, to] = [new URL('/files/', appUrl).href, new URL('/files/', config.appUrl).href]
  if (from !== to) await changeFileUrls(tx, from, to)
}

async function assertImportable(
  db: Db,
  { manifest }: Archive,
  { config }: ImportDeps,
  hasAdmin: boolean,
): Promise<void> {
  const schema = await currentSchema(db, config.migrationsDir)
  if (schema !== manifest.schema)
    throw new ArchiveError(
      'The archive has the schema of another version: import it with the version that exported it, then upgrade',
      'other-version',
    )
  await db.transaction((tx) => lockAndAssertEmpty(tx, hasAdmin))
  // Imported files have the keys they had: a deletion that is still due would delete them.
  if (await hasPendingRemoval(db)) throw new ArchiveError('Deleted files are still being removed', 'not-empty')
}

/**
 * Imports an archive into a migrated database without content. Files first, then all rows in one transaction: after a crash the database
 * is empty, and the next import skips the files that are stored. Throws `ArchiveError` for what cannot be imported.
 */
export async function importArchive(
  file: string,
  deps: ImportDeps,
  { onProgress = () => {}, label = file, hasAdmin = false, onOpen, beforeCommit }: ImportOptions = {},
): Promise<Manifest> {
  const archive = await openArchive(file, label)
  try {
    onOpen?.(archive.manifest)
    await assertImportable(deps.db, archive, deps, hasAdmin)
    await importObjects(archive, deps, onProgress)
    await deps.db.transaction(async (tx) => {
      const admin = await lockAndAssertEmpty(tx, hasAdmin)
      await importRows(tx, archive, { onProgress, admin })
      await moveFileUrls(tx, archive.manifest, deps.config)
      await assertObjectsStored(archive, deps)
      if (admin) await mergeAdmin(tx, admin)
      // Here, where no statement times out: the triggers have added a row for each that was inserted.
      await compactCounts(tx)
      await beforeCommit?.(tx)
    })
    return archive.manifest
  } finally {
    archive.close()
  }
}
