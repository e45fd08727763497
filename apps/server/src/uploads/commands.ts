import { limits } from '@community/contract'
import { type Db, type Reader, prepared, type Tx } from '@community/db'
import { submissions, uploads } from '@community/db/schema'
import { and, count, eq, exists, gt, inArray, isNotNull, isNull, not, sql } from 'drizzle-orm'

const key = sql.placeholder('key')

export interface UploadRow {
  id: string
  key: string
  originalName: string
  size: number
  mimeType: string
}
const columns = {
  id: uploads.id,
  key: uploads.key,
  originalName: uploads.originalName,
  size: uploads.size,
  mimeType: uploads.mimeType,
}

const uploadByKey = prepared('uploads.by-key', (db) => {
  const unpublishedSubmission = db
    .select({ one: sql`1` })
    .from(submissions)
    .where(and(eq(submissions.uploadId, uploads.id), sql`${submissions.status} <> 'approved'`))
  return db
    .select({
      ...columns,
      isPublished: and(isNotNull(uploads.attachedAt), not(exists(unpublishedSubmission)))!
        .mapWith(Boolean)
        .as('is_published'),
      preview: uploads.preview,
      createdAt: uploads.createdAt,
    })
    .from(uploads)
    .where(eq(uploads.key, key))
})
/** A stored file. `isPublished` if it is publicly visible: in an approved submission, or as an avatar. */
export async function findUpload(db: Reader, objectKey: string) {
  const [row] = await uploadByKey(db, { key: objectKey })
  return row
}

const dailyUsage = prepared('uploads.used-today', (db) =>
  db
    .select({
      files: count(),
      bytes: sql<number>`coalesce(sum(${uploads.size}), 0)::float8`,
      /** Seconds until the oldest file no longer counts. */
      secondsUntilFree: sql<number>`coalesce(ceil(extract(epoch from min(${uploads.createdAt}) + make_interval(secs => ${limits.DAY}) - now())), 0)::int`,
    })
    .from(uploads)
    .where(
      and(
        eq(uploads.userId, sql.placeholder('userId')),
        gt(uploads.createdAt, sql`now() - make_interval(secs => ${limits.DAY})`),
      ),
    ),
)
/** The number and size of a user's uploads in the last 24 hours. */
export async function findDailyUsage(db: Reader, userId: string) {
  const [row] = await dailyUsage(db, { userId })
  return row ?? { files: 0, bytes: 0, secondsUntilFree: 0 }
}

export async function insertUpload(tx: Tx, upload: Omit<UploadRow, 'id'>, userId: string): Promise<UploadRow> {
  const [row] = await tx
    .insert(uploads)
    .values({ ...upload, userId })
    .returning(columns)
  if (!row) throw new Error('an insert returned no row')
  return row
}

const uploadAttachment = prepared('uploads.attach', (db) =>
  db
    .update(uploads)
    .set({ attachedAt: sql`clock_timestamp()` })
    .where(and(eq(uploads.key, key), eq(uploads.userId, sql.placeholder('userId')), isNull(uploads.attachedAt)))
    .returning(columns),
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

/** The given keys that have a row. */
export async function findExistingKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db.select({ key: uploads.key }).from(uploads).where(inArray(uploads.key, keys))
  return new Set(rows.map((row) => row.key))
}
