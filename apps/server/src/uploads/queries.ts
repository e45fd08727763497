import { limits } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { jobs, submissions, uploads } from '@community/db/schema'
import { and, asc, count, eq, exists, gt, inArray, isNotNull, not, sql } from 'drizzle-orm'
import { REMOVE_OBJECTS_JOB } from './remove-objects.ts'

export interface UploadRow {
  id: string
  key: string
  originalName: string
  size: number
  mimeType: string
}
export const uploadColumns = {
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
      ...uploadColumns,
      isPublished: and(isNotNull(uploads.attachedAt), not(exists(unpublishedSubmission)))!
        .mapWith(Boolean)
        .as('is_published'),
      preview: uploads.preview,
      createdAt: uploads.createdAt,
    })
    .from(uploads)
    .where(eq(uploads.key, sql.placeholder('key')))
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

/** The given keys that have a row. */
export async function findExistingKeys(db: Reader, keys: string[]): Promise<Set<string>> {
  const rows = await db.select({ key: uploads.key }).from(uploads).where(inArray(uploads.key, keys))
  return new Set(rows.map((row) => row.key))
}

/** Whether objects of deleted rows are still to be removed from the storage, by a job that `queueRemoval` added. */
export async function hasPendingRemoval(db: Reader): Promise<boolean> {
  const isPending = and(eq(jobs.kind, REMOVE_OBJECTS_JOB), eq(jobs.status, 'pending'))
  return (await db.select({ id: jobs.id }).from(jobs).where(isPending).limit(1)).length > 0
}

/** All uploads of a user, by id. */
export const findAllUploads = (db: Reader, userId: string) =>
  db
    .select({ ...uploadColumns, createdAt: uploads.createdAt })
    .from(uploads)
    .where(eq(uploads.userId, userId))
    .orderBy(asc(uploads.id))

export async function isUploadStored(db: Reader, id: string): Promise<boolean> {
  return (await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.id, id))).length > 0
}
