import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Tx } from '@community/db'
import type { Context, Deps } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'

/** Concurrent deletions, so that deleting a challenge with hundreds of files does not time out. */
const CONCURRENCY = 8
/** Milliseconds that a request waits for deletions, so that an unresponsive storage does not delay it. */
const MAX_WAIT_MS = 1000
/** Seconds until the job runs, when the request has mostly deleted the objects. */
const JOB_DELAY = 60

/** The kind of the jobs that delete the objects of deleted rows. */
export const REMOVE_OBJECTS_JOB = 'remove-objects'
/** The payload of the job. */
export interface RemovedObjects {
  keys: string[]
}

interface RemoveDeps extends Pick<Deps, 'storage' | 'log'> {
  /** Leaves the objects whose deletion has not begun. */
  stopping?: AbortSignal
}

/**
 * Deletes objects. Call it after the commit, never inside a transaction. An object that cannot be deleted is left to the job of
 * `queueRemoval`, or to the sweep if it never had a row.
 */
export async function removeAllObjects({ storage, log, stopping }: RemoveDeps, keys: string[]): Promise<void> {
  const remaining = keys.values()
  const removeNext = async () => {
    for (const key of remaining) {
      if (stopping?.aborted) return
      await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'an object was not deleted'))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, removeNext))
}

/** Like `removeAllObjects`, but resolves after at most a second; the deletions continue in the background. */
export async function removeObjects(deps: RemoveDeps, keys: string[]): Promise<void> {
  const done = new AbortController()
  const removing = removeAllObjects(deps, keys).then(() => done.abort())
  await Promise.race([removing, sleep(MAX_WAIT_MS, undefined, { signal: done.signal }).catch(() => {})])
}

/**
 * Adds a job to the transaction that deletes rows: it deletes their objects even if the storage is away after the commit, or the process
 * ends.
 */
export async function queueRemoval(tx: Tx, deps: Pick<Deps, 'secret'>, keys: string[]): Promise<void> {
  const payload: RemovedObjects = { keys }
  if (keys.length > 0) await enqueue(tx, deps, { kind: REMOVE_OBJECTS_JOB, payload, delay: JOB_DELAY })
}

/** Deletes rows in a transaction and then their objects, whose keys `deleteRows` returns. */
export async function deleteWithObjects(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  deleteRows: (tx: Tx) => Promise<string[]>,
): Promise<void> {
  const removedKeys = await inTransaction(db, async (tx) => {
    const keys = await deleteRows(tx)
    await queueRemoval(tx, deps, keys)
    return keys
  })
  await removeObjects(deps, removedKeys)
}
