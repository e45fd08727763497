import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../context.ts'

/** Concurrent deletions, so that deleting a challenge with hundreds of files does not time out. */
const CONCURRENCY = 8
/** Milliseconds that a request waits for deletions, so that an unresponsive storage does not delay it. */
const MAX_WAIT_MS = 1000

type RemoveDeps = Pick<Deps, 'storage' | 'log'>

/**
 * Deletes the objects of deleted rows. Call it after the commit, never inside a transaction. An object that cannot be deleted is left
 * to the sweep.
 */
export async function removeAllObjects({ storage, log }: RemoveDeps, keys: string[]): Promise<void> {
  const remaining = keys.values()
  const removeNext = async () => {
    for (const key of remaining)
      await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'an object was not deleted'))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, removeNext))
}

/** Like `removeAllObjects`, but resolves after at most a second; the deletions continue in the background. */
export async function removeObjects(deps: RemoveDeps, keys: string[]): Promise<void> {
  const done = new AbortController()
  const removing = removeAllObjects(deps, keys).then(() => done.abort())
  await Promise.race([removing, sleep(MAX_WAIT_MS, undefined, { signal: done.signal }).catch(() => {})])
}
