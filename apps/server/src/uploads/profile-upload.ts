import { buffer } from 'node:stream/consumers'
import { appErrors, limits, type StoredFile } from '@community/contract'
import { inTransaction, isDatabaseUnavailable } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { takeSlotOrThrow } from '../http/rate-limits.ts'
import { fileAddress, newKey } from './file-address.ts'
import { PICTURE_TYPE } from './file-type.ts'
import { insertWithinQuota, storedFile, storing, UPLOADS_PER_DAY } from './keep-file.ts'
import { squarePicture } from './profile-picture.ts'
import { markInUse, replacePicture } from './profile-commands.ts'
import type { ReceivedFile } from './receive-file.ts'
import { removeObjects } from './remove-objects.ts'

/** The URL is public, so it must not contain the original file name. */
const PUBLIC_NAME = 'avatar.webp'
/** Counted separately from other uploads, because the row of a replaced picture is deleted. */
const PER_DAY = { max: UPLOADS_PER_DAY, seconds: limits.DAY }

/**
 * Replaces the user's picture. Returns the stored file with its original name. Throws for other types, pictures that are too large or
 * unreadable, and more than 20 a day.
 */
export async function keepProfilePicture(ctx: MemberContext, sent: ReceivedFile): Promise<{ file: StoredFile }> {
  const { deps, user } = ctx
  if (!sent.type.startsWith('image/')) throw new AppError(appErrors.pictureTypeRefused)
  await takeSlotOrThrow(ctx.db, `pictures:${user.id}`, PER_DAY, appErrors.tooManyUploads)
  const picture = await squarePicture(() => buffer(sent.read()))
  const row = { key: newKey(), originalName: PUBLIC_NAME, size: picture.length, mimeType: PICTURE_TYPE }
  await storing(deps.storage.put(row.key, picture, { contentType: row.mimeType, size: row.size }))
  try {
    const { kept, dropped } = await inTransaction(ctx.db, async (tx) => {
      const inserted = await insertWithinQuota(tx, user.id, row)
      await markInUse(tx, inserted)
      const before = await replacePicture(tx, user.id, fileAddress(deps.config.appUrl, row))
      return { kept: inserted, dropped: before }
    })
    await removeObjects(deps, dropped)
    return { file: { ...storedFile(deps.config.appUrl, kept), originalName: sent.originalName } }
  } catch (error) {
    // Whether a commit took effect is unknown when the database goes away: then the sweep decides.
    if (!isDatabaseUnavailable(error)) await removeObjects(deps, [row.key])
    throw error
  }
}
