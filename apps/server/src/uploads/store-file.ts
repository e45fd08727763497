import { appErrors, limits, type StoredFile } from '@community/contract'
import { inTransaction, isDatabaseUnavailable, type Reader, type Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { insertUpload, type NewUpload } from './commands.ts'
import { createKey } from './file-url.ts'
import { findDailyUsage, type UploadRow } from './queries.ts'
import type { ReceivedFile } from './receive-file.ts'
import { removeObjects } from './remove-objects.ts'
import { toStoredFile } from './views.ts'
import { lockActiveUser } from '../users/lock-user.ts'

/** Throws `tooManyUploads` with a cooldown if files of these sizes would exceed the user's daily quota. */
export async function assertWithinQuota(db: Reader, userId: string, sizes: number[]): Promise<void> {
  const usage = await findDailyUsage(db, userId)
  const bytes = sizes.reduce((total, size) => total + size, usage.bytes)
  if (usage.files + sizes.length <= limits.UPLOADS_PER_DAY && bytes <= limits.UPLOAD_BYTES_PER_DAY) return
  throw new AppError(appErrors.tooManyUploads, { cooldown: Math.max(1, usage.secondsUntilFree) })
}

/**
 * Stores received files for their uploader, all or none. Writes objects before rows, so that a crash in between leaves untracked objects,
 * which are swept, but never a row without an object.
 */
export async function storeFiles(ctx: AuthenticatedContext, files: ReceivedFile[]): Promise<{ files: StoredFile[] }> {
  const { deps, user } = ctx
  // Before anything is stored; `insertWithinQuota` checks again.
  await assertWithinQuota(ctx.db, user.id, sizesOf(files))
  const rows = files.map(({ originalName, size, type }) => ({ key: createKey(), originalName, size, mimeType: type }))
  try {
    for (const [index, { key, size, mimeType }] of rows.entries()) {
      const file = files[index]
      if (file) await mapStorageErrors(deps.storage.put(key, file.read(), { contentType: mimeType, size }))
    }
    const stored = await inTransaction(ctx.db, (tx) => insertWithinQuota(tx, user.id, rows))
    return { files: stored.map((row) => toStoredFile(deps.config.appUrl, row)) }
  } catch (error) {
    // If the database becomes unavailable, it is unknown whether the commit took effect: leave the objects to the sweep.
    if (!isDatabaseUnavailable(error))
      await removeObjects(
        deps,
        rows.map(({ key }) => key),
      )
    throw error
  }
}

/** Checks the quota again under the user's lock, so that concurrent uploads cannot exceed it. */
export async function insertWithinQuota(tx: Tx, userId: string, rows: NewUpload[]): Promise<UploadRow[]> {
  await lockActiveUser(tx, userId, 'no key update')
  await assertWithinQuota(tx, userId, sizesOf(rows))
  return Promise.all(rows.map((row) => insertUpload(tx, row, userId)))
}

const sizesOf = (files: { size: number }[]) => files.map(({ size }) => size)

/** Maps an unavailable storage to a 503 with a cooldown. */
export async function mapStorageErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new AppError(appErrors.unavailable, { cooldown: 5 })
    throw error
  }
}
