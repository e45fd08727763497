import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { enqueuePreview, findFile, findFilesWithoutPreview, type PreviewJob, setPreview } from '../previews/commands.ts'
import { thumbnailKey, thumbnailKeys } from '../previews/preview.ts'
import { renderInProcess } from '../previews/render-in-process.ts'
import type { RenderedPreview } from '../previews/render.ts'
import { enqueue } from './queue.ts'
import { JobFailure, type JobHandler } from './job-handler.ts'

type PreviewDeps = Pick<Deps, 'db' | 'storage' | 'secret' | 'log'>

/** A decoder that crashes or hangs on a file mostly does so again: more attempts would only cost time. */
const ATTEMPTS_MAX = 3
/** Milliseconds for reading a whole file from the storage, which itself limits only how long a stream may stand still. */
const READ_TIMEOUT_MS = 30_000

const removeThumbnails = ({ storage }: PreviewDeps, key: string) =>
  Promise.all(thumbnailKeys(key).map((thumbnail) => storage.remove(thumbnail)))

async function storePreview(deps: PreviewDeps, { uploadId, key }: PreviewJob, rendered: RenderedPreview) {
  for (const { name, type, size, bytes } of rendered.thumbnails)
    await deps.storage.put(thumbnailKey(key, name), bytes, { contentType: type, size })
  const thumbnails = rendered.thumbnails.map(({ bytes: _stored, ...thumbnail }) => thumbnail)
  const isStored = await inTransaction(deps.db, (tx) => setPreview(tx, uploadId, { ...rendered, thumbnails }))
  if (!isStored) await removeThumbnails(deps, key)
}

/**
 * Makes the preview of a file in use. Every step can be repeated: thumbnails have fixed keys, and those of a file deleted since are
 * removed. `stopping` ends a decoder, so that a stopping server does not wait for it.
 */
export const previewHandler = (deps: PreviewDeps, stopping: AbortSignal): JobHandler => ({
  // Longer than the decoder may take, with the storage's timeouts.
  lease: 180,
  // Decoding is expensive: one file at a time in each process.
  concurrency: 1,
  async run({ attempts }, payload) {
    const job = payload as PreviewJob
    try {
      const file = await findFile(deps.db, job.uploadId)
      if (!file) {
        await removeThumbnails(deps, job.key)
        return
      }
      const object = file.preview ? null : await deps.storage.open(job.key)
      if (!object) return
      addAbortSignal(AbortSignal.any([stopping, AbortSignal.timeout(READ_TIMEOUT_MS)]), object.body)
      const request = { bytes: await buffer(object.body), mimeType: file.mimeType }
      const message = await renderInProcess(request, stopping).catch((error: Error) => {
        throw new JobFailure(error.message, attempts < ATTEMPTS_MAX ? 'temporary' : 'permanent')
      })
      if ('preview' in message) await storePreview(deps, job, message.preview)
      // Not a failure of ours: the file itself is damaged, locked or too large.
      else deps.log.info({ upload: job.uploadId, reason: message.unreadable }, 'a file has no preview')
    } catch (error) {
      if (stopping.aborted) throw new JobFailure('the server stopped', 'unavailable')
      // An error of one object is no outage: after some attempts the job is dead.
      if (error instanceof StorageUnavailable)
        throw new JobFailure(error.message, error.scope === 'storage' ? 'unavailable' : 'temporary')
      throw error
    }
  },
})

/** Files per step, and the seconds until the next step, in which their previews are made. */
const STEP = { files: 50, seconds: 120 }

/** Adds preview jobs for files that are older than previews, in steps, so that the queue stays short. */
export const backfillPreviewsHandler = (deps: PreviewDeps): JobHandler => ({
  lease: 60,
  async run(_job, payload) {
    const after = payload ? (payload as { after: string }).after : null
    await inTransaction(deps.db, async (tx) => {
      const files = await findFilesWithoutPreview(tx, after, STEP.files)
      for (const file of files) await enqueuePreview(tx, deps, file)
      const last = files.at(-1)
      if (!last || files.length < STEP.files) return
      await enqueue(tx, deps, {
        kind: 'backfill-previews',
        key: `backfill-previews:${last.id}`,
        payload: { after: last.id },
        delay: STEP.seconds,
      })
    })
  },
})
