import type { Deps } from '../context.ts'

/** Removed at once: a challenge's hundreds of files are gone before its administrator's request times out. */
const SIDE_BY_SIDE = 8

/**
 * Removes the objects of files whose rows are gone: after the commit, never inside a transaction. One that cannot be
 * removed now is a stray, which the sweep of the next days finds.
 */
export async function removeObjects({ storage, log }: Pick<Deps, 'storage' | 'log'>, keys: string[]): Promise<void> {
  const left = keys.values()
  const removeNext = async () => {
    for (const key of left)
      await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'a file was not removed'))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, removeNext))
}
