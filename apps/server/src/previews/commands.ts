import { type Reader, type Tx, wallClock } from '@community/db'
import { type StoredPreview, submissions, uploads } from '@community/db/schema'
import { and, asc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { PREVIEWED_TYPES } from './preview.ts'

/** The payload of a job of the kind `preview`. */
export interface PreviewJob {
  uploadId: string
  key: string
}

/** Adds the job that makes a file's preview to the transaction that uses the file; once per file. */
export const enqueuePreview = (tx: Tx, deps: Pick<Deps, 'secret'>, { id, key }: { id: string; key: string }) =>
  enqueue(tx, deps, { kind: 'preview', key: `preview:${id}`, payload: { uploadId: id, key } satisfies PreviewJob })

export async function findFile(db: Reader, uploadId: string) {
  const columns = { mimeType: uploads.mimeType, preview: uploads.preview }
  const [row] = await db.select(columns).from(uploads).where(eq(uploads.id, uploadId))
  return row
}

/** Stores the preview of a file, which changes the submission that has it; returns false if the file was deleted. */
export async function setPreview(tx: Tx, uploadId: string, preview: StoredPreview): Promise<boolean> {
  await tx.update(submissions).set({ updatedAt: wallClock }).where(eq(submissions.uploadId, uploadId))
  const updated = await tx
    .update(uploads)
    .set({ preview })
    .where(eq(uploads.id, uploadId))
    .returning({ id: uploads.id })
  return updated.length === 1
}

/** Files in use that have no preview, by id. */
export const findFilesWithoutPreview = (db: Reader, after: string | null, limit: number) =>
  db
    .select({ id: uploads.id, key: uploads.key })
    .from(uploads)
    .where(
      and(
        isNotNull(uploads.attachedAt),
        isNull(uploads.preview),
        inArray(uploads.mimeType, [...PREVIEWED_TYPES]),
        after === null ? undefined : gt(uploads.id, after),
      ),
    )
    .orderBy(asc(uploads.id))
    .limit(limit)
