import { limits } from '@community/contract'
import { onlyRow, placeholders, prepared, type Tx, wallClock } from '@community/db'
import { uploads } from '@community/db/schema'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { uploadColumns, type UploadRow } from './queries.ts'

const key = sql.placeholder('key')

export type NewUpload = Omit<UploadRow, 'id'>
const uploadInsert = prepared('uploads.insert', (db) =>
  db
    .insert(uploads)
    .values(placeholders(['key', 'originalName', 'size', 'mimeType', 'userId']))
    .returning(uploadColumns),
)
export async function insertUpload(tx: Tx, upload: NewUpload, userId: string): Promise<UploadRow> {
  return onlyRow(await uploadInsert(tx, { ...upload, userId }))
}

const uploadAttachment = prepared('uploads.attach', (db) =>
  db
    .update(uploads)
    .set({ attachedAt: wallClock })
    .where(and(eq(uploads.key, key), eq(uploads.userId, sql.placeholder('userId')), isNull(uploads.attachedAt)))
    .returning(uploadColumns),
)
/** Marks the user's own unused upload as used; undefined if it belongs to somebody else, is used or was deleted. */
export async function attachUpload(tx: Tx, objectKey: string, userId: string): Promise<UploadRow | undefined> {
  const [row] = await uploadAttachment(tx, { key: objectKey, userId })
  return row
}

/** Deletes up to `limit` uploads that were unused for a day, and returns their keys. */
export async function deleteOrphans(tx: Tx, limit: number): Promise<string[]> {
  const orphans = tx
    .select({ id: uploads.id })
    .from(uploads)
    .where(
      and(isNull(uploads.attachedAt), sql`${uploads.createdAt} < now() - make_interval(secs => ${limits.ORPHAN_TTL})`),
    )
    .orderBy(uploads.createdAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  const deleted = await tx.delete(uploads).where(inArray(uploads.id, orphans)).returning({ key: uploads.key })
  return deleted.map((row) => row.key)
}
