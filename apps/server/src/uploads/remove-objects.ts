import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../context.ts'

/** Removed at once: a challenge's hundreds of files are gone before its administrator's request times out. */
const SIDE_BY_SIDE = 8
/** Milliseconds that somebody who asked for something else waits: a storage that is silent holds nobody up. */
const PATIENCE = 1000

type Removing = Pick<Deps, 'storage' | 'log'>

/**
 * Removes the objects of files whose rows are gone: after the commit, never inside a transaction. One that cannot be
 * removed now is a stray, which the sweep of the next days finds.
 */
export async function removeAllObjects({ storage, log }: Removing, keys: string[]): Promise<void> {
  const left = keys.values()
  const removeNext = async () => {
    for (const key of left)
      await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'a file was not removed'))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, removeNext))
}

/** The same, waited for a second at most: what is left then goes on by itself. */
export async function removeObjects(deps: Removing, keys: string[]): Promise<void> {
  const isDone = new AbortController()
  const removing = removeAllObjects(deps, keys).then(() => isDone.abort())
  await Promise.race([removing, sleep(PATIENCE, undefined, { signal: isDone.signal }).catch(() => {})])
}
