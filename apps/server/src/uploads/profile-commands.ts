import type { Tx } from '@community/db'
import { uploads, users } from '@community/db/schema'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { keyOfAddress } from './file-address.ts'
import type { UploadRow } from './commands.ts'
import { lockUser } from '../users/lock-user.ts'

/** The key of a picture's address, whatever the app's address was when it came. */
const keyOfPicture = (avatarUrl: string | null): string[] => {
  const key = avatarUrl === null ? null : keyOfAddress(avatarUrl, avatarUrl)
  return key === null ? [] : [key]
}

/** Marks an upload as in use: a picture is so from its birth, and never swept. */
export async function markInUse(tx: Tx, upload: UploadRow): Promise<void> {
  await tx.update(uploads).set({ attachedAt: sql`clock_timestamp()` }).where(eq(uploads.id, upload.id))
}

/**
 * Gives somebody another picture, or none, and forgets the one before. Locks their account. Answers the keys of the objects
 * to remove after the commit.
 */
export async function replacePicture(tx: Tx, userId: string, avatarUrl: string | null): Promise<string[]> {
  const isUser = eq(users.id, userId)
  const before = await lockUser(tx, userId, 'no key update')
  const keys = keyOfPicture(before?.avatarUrl ?? null)
  await tx.update(users).set({ avatarUrl, updatedAt: sql`now()` }).where(isUser)
  if (keys.length > 0) await tx.delete(uploads).where(inArray(uploads.key, keys))
  return keys
}

/** Forgets somebody's picture and what they uploaded for nothing; files in submitted work stay. Answers as above. */
export async function deleteFilesOf(
  tx: Tx,
  { id, avatarUrl }: { id: string; avatarUrl: string | null },
): Promise<string[]> {
  const isUnused = or(isNull(uploads.attachedAt), inArray(uploads.key, keyOfPicture(avatarUrl)))
  const deleted = await tx
    .delete(uploads)
    .where(and(eq(uploads.userId, id), isUnused))
    .returning({ key: uploads.key })
  return deleted.map(({ key }) => key)
}
