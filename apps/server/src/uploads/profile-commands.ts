import { type Tx, wallClock } from '@community/db'
import { uploads, users } from '@community/db/schema'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { parseFileUrl } from './file-url.ts'
import type { UploadRow } from './queries.ts'
import { lockUser } from '../users/lock-user.ts'

/** The key in a picture's URL, also if APP_URL has changed since it was stored. */
const pictureKeys = (avatarUrl: string | null): string[] => {
  const key = avatarUrl === null ? null : parseFileUrl(avatarUrl, avatarUrl)
  return key === null ? [] : [key]
}

/** Marks an upload as used: a picture is in use from the start and never swept. */
export async function markInUse(tx: Tx, upload: UploadRow): Promise<void> {
  await tx.update(uploads).set({ attachedAt: wallClock }).where(eq(uploads.id, upload.id))
}

/**
 * Replaces or removes a user's picture under the account's lock. Returns the keys of the objects to remove after the
 * commit.
 */
export async function replacePicture(tx: Tx, userId: string, avatarUrl: string | null): Promise<string[]> {
  const userCondition = eq(users.id, userId)
  const previous = await lockUser(tx, userId, 'no key update')
  const keys = pictureKeys(previous?.avatarUrl ?? null)
  await tx.update(users).set({ avatarUrl, updatedAt: sql`now()` }).where(userCondition)
  if (keys.length > 0) await tx.delete(uploads).where(inArray(uploads.key, keys))
  return keys
}

/** Deletes a user's picture and unused uploads; files in submissions stay. Returns the keys of the objects to remove after the commit. */
export async function deleteUnusedFiles(
  tx: Tx,
  { id, avatarUrl }: { id: string; avatarUrl: string | null },
): Promise<string[]> {
  const unusedCondition = or(isNull(uploads.attachedAt), inArray(uploads.key, pictureKeys(avatarUrl)))
  const deleted = await tx
    .delete(uploads)
    .where(and(eq(uploads.userId, id), unusedCondition))
    .returning({ key: uploads.key })
  return deleted.map(({ key }) => key)
}
