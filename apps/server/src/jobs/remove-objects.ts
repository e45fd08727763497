import type { Deps } from '../context.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { fileKeyOf } from '../previews/preview.ts'
import { findExistingKeys } from '../uploads/queries.ts'
import type { RemovedObjects } from '../uploads/remove-objects.ts'
import { JobFailure, type JobHandler } from './worker.ts'

/** Concurrent deletions. */
const BATCH = 8

/**
 * Deletes the objects of deleted rows, until the storage has accepted each deletion. Those that are deleted already are no error, and
 * those whose rows an import has inserted again are kept.
 */
export const removeObjectsHandler = ({ db, storage }: Pick<Deps, 'db' | 'storage'>): JobHandler => ({
  // Concurrent runs are safe.
  lease: 15 * 60,
  // A limit of its own: with a slow storage these jobs would take all slots that the mails of sign-in codes share.
  concurrency: 2,
  async run(_job, payload) {
    // Only `queueRemoval` adds jobs of this kind.
    const { keys } = payload as RemovedObjects
    try {
      for (let start = 0; start < keys.length; start += BATCH) {
        const batch = keys.slice(start, start + BATCH)
        const used = await findExistingKeys(db, batch.map(fileKeyOf))
        await Promise.all(batch.filter((key) => !used.has(fileKeyOf(key))).map((key) => storage.remove(key)))
      }
    } catch (error) {
      if (error instanceof StorageUnavailable) throw new JobFailure(error.message, 'unavailable')
      throw error
    }
  },
})
