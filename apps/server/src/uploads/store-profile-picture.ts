import { buffer } from 'node:stream/consumers'
import { appErrors, limits, type StoredFile } from '@community/contract'
import { inTransaction, isDatabaseUnavailable, onlyRow } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { consumeRateLimit } from '../http/rate-limits.ts'
import { createFileUrl, createKey } from './file-url.ts'
import { PICTURE_TYPE } from './file-type.ts'
import { assertWithinQuota, insertWithinQuota, mapStorageErrors } from './store-file.ts'
import { createSquarePicture } from './square-picture.ts'
import { markInUse, replacePicture } from './profile-commands.ts'
import type { ReceivedFile } from './receive-file.ts'
import { queueRemoval, removeObjects } from './remove-objects.ts'
import { toStoredFile } from './views.ts'

/** The URL is public, so it must not contain the original file name. */
const PUBLIC_NAME = 'avatar.webp'
/** A limit of its own: the upload quota counts rows, and the row of a replaced picture is deleted. */
const DAILY_LIMIT = { max: limits.UPLOADS_PER_DAY, seconds: limits.DAY }

/**
 * Replaces the user's picture. Returns the stored file with its original name. Throws `pictureTypeRefused`, `pictureTooLarge`,
 * `pictureUnreadable`, or `tooManyUploads` beyond the daily limit.
 */
export async function storeProfilePicture(
  ctx: AuthenticatedContext,
  received: ReceivedFile,
): Promise<{ file: StoredFile }> {
  const { deps, user } = ctx
  if (!received.type.startsWith('image/')) throw new AppError(appErrors.pictureTypeRefused)
  await assertWithinQuota(ctx.db, user.id, [0])
  await consumeRateLimit(ctx.db, `pictures:${user.id}`, DAILY_LIMIT, appErrors.tooManyUploads)
  const picture = await createSquarePicture(() => buffer(received.read()))
  const row = { key: createKey(), originalName: PUBLIC_NAME, size: picture.length, mimeType: PICTURE_TYPE }
  await mapStorageErrors(deps.storage.put(row.key, picture, { contentType: row.mimeType, size: row.size }))
  try {
    const { upload, replacedKeys } = await inTransaction(ctx.db, async (tx) => {
      const inserted = onlyRow(await insertWithinQuota(tx, user.id, [row]))
      await markInUse(tx, inserted)
      const before = await replacePicture(tx, user.id, createFileUrl(deps.config.appUrl, row))
      await queueRemoval(tx, deps, before)
      return { upload: inserted, replacedKeys: before }
    })
    await removeObjects(deps, replacedKeys)
    return { file: { ...toStoredFile(deps.config.appUrl, upload), originalName: received.originalName } }
  } catch (error) {
    // If the database becomes unavailable, it is unknown whether the commit took effect: leave the object to the sweep.
    if (!isDatabaseUnavailable(error)) await removeObjects(deps, [row.key])
    throw error
  }
}
