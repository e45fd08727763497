import type { Deps } from '../context.ts'

/**
 * Removes the objects of files whose rows are gone: after the commit, never inside a transaction. One that cannot be
 * removed now is a stray, which the sweep of the next days finds.
 */
export async function removeObjects({ storage, log }: Pick<Deps, 'storage' | 'log'>, keys: string[]): Promise<void> {
  for (const key of keys)
    await storage.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'a file was not removed'))
}
