import type { Deps } from '../context.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import type { RemovedObjects } from '../uploads/remove-objects.ts'
import { JobFailure, type JobHandler } from './worker.ts'

/** Concurrent deletions. */
const BATCH = 8

/** Deletes the objects of deleted rows, until the storage has accepted each deletion. Those that are deleted already are no error. */
export const removeObjectsHandler = ({ storage }: Pick<Deps, 'storage'>): JobHandler => ({
  // Concurrent runs are safe.
  lease: 15 * 60,
  async run(_job, payload) {
    // Only `queueRemoval` adds jobs of this kind.
    const { keys } = payload as RemovedObjects
    try {
      for (let start = 0; start < keys.length; start += BATCH)
        await Promise.all(keys.slice(start, start + BATCH).map((key) => storage.remove(key)))
    } catch (error) {
      if (error instanceof StorageUnavailable) throw new JobFailure(error.message, 'unavailable')
      throw error
    }
  },
})
