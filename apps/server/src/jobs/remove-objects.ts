import type { Deps } from '../context.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { loggableMessage } from '../observability/log.ts'
import { fileKeyOf } from '../previews/preview.ts'
import { findExistingKeys } from '../uploads/queries.ts'
import type { RemovedObjects } from '../uploads/remove-objects.ts'
import { JobFailure, type JobHandler } from './job-handler.ts'

/** Concurrent deletions. */
const BATCH = 8

const isOutage = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable && error.scope === 'storage'

/**
 * Deletes the objects of deleted rows, until the storage has accepted each deletion. Those that are deleted already are no error, and
 * those whose rows an import has inserted again are kept. The storage counts as unavailable only if it accepts no deletion.
 */
export const removeObjectsHandler = ({ db, storage }: Pick<Deps, 'db' | 'storage'>): JobHandler => ({
  // Concurrent runs are safe.
  lease: 15 * 60,
  // A limit of its own: with a slow storage these jobs would take all slots that the mails of sign-in codes share.
  concurrency: 2,
  async run(_job, payload) {
    // Only `queueRemoval` adds jobs of this kind.
    const { keys } = payload as RemovedObjects
    const errors: unknown[] = []
    let hasRemoved = false
    for (let start = 0; start < keys.length; start += BATCH) {
      const batch = keys.slice(start, start + BATCH)
      const used = await findExistingKeys(db, batch.map(fileKeyOf))
      const unused = batch.filter((key) => !used.has(fileKeyOf(key)))
      const results = await Promise.allSettled(unused.map((key) => storage.remove(key)))
      const failed = results.filter((result) => result.status === 'rejected')
      errors.push(...failed.map(({ reason }) => reason as unknown))
      hasRemoved ||= failed.length < results.length
      const outage = errors.find(isOutage)
      // The deletions of the other keys would fail too, each after a timeout.
      if (!hasRemoved && outage && errors.every(isOutage)) throw new JobFailure(outage.message, 'unavailable')
    }
    const [first] = errors
    if (first !== undefined)
      throw new JobFailure(
        `${errors.length} objects could not be deleted: ${loggableMessage((first as Error).cause ?? first)}`,
      )
  },
})
