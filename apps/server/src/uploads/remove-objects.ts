import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../context.ts'

/** Concurrent deletions, so that deleting a challenge with hundreds of files does not time out. */
const SIDE_BY_SIDE = 8
/** Milliseconds that a request waits for deletions, so that an unresponsive storage does not delay it. */
const PATIENCE = 1000

type Removing = Pick<Deps, 'storage' | 'log'>

/**
 * Deletes the objects of deleted rows. Call it after the commit, never inside a transaction. An object that cannot be deleted is left
 * to the sweep.
 */
export async function removeAllObjects({ storage, log }: Removing, keys: string[]): Promise<void> {
  const left = keys.values()
  const removeNext = async () => {
    for (const key of left)
      await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'a file was not removed'))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, removeNext))
}

/** Like `removeAllObjects`, but resolves after at most a second; the deletions continue in the background. */
export async function removeObjects(deps: Removing, keys: string[]): Promise<void> {
  const isDone = new AbortController()
  const removing = removeAllObjects(deps, keys).then(() => isDone.abort())
  await Promise.race([removing, sleep(PATIENCE, undefined, { signal: isDone.signal }).catch(() => {})])
}
