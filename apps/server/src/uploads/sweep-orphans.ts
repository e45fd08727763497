import { text } from 'node:stream/consumers'
import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { communityId } from '../system/queries.ts'
import { keysOfDay } from './file-address.ts'
import { removeAllObjects } from './remove-objects.ts'
import { deleteOrphans, knownKeys } from './commands.ts'

const BATCH = 200
/** Days back in which untracked objects are searched; older ones are never found. */
const DAYS_BACK = 8

type Sweeping = Pick<Deps, 'db' | 'storage' | 'log'>

/**
 * Deletes files that were unused for 24 hours and objects without a row. Deletes rows first, so that a crash in between leaves an
 * untracked object for the next sweep. Safe to run in several processes at once.
 */
export async function sweepOrphans(deps: Sweeping, now = new Date()): Promise<{ files: number; strays: number }> {
  return { files: await sweepUnused(deps), strays: (await isOurs(deps)) ? await sweepStrays(deps, now) : 0 }
}

/** The key of the object that holds the id of the owning database. */
const OWNER = 'community'

/**
 * Untracked objects are deleted only if the storage belongs to this database: the first database to sweep a storage marks it, and
 * servers with another database delete nothing.
 */
async function isOurs({ db, storage, log }: Sweeping): Promise<boolean> {
  const own = await communityId(db)
  if (!(await storage.head(OWNER)))
    await storage.put(OWNER, Buffer.from(own), { contentType: 'text/plain', size: own.length })
  const marker = await storage.open(OWNER)
  const owner = marker && (await text(marker.body))
  if (owner !== own)
    log.error({ own, owner }, 'the storage is used with another database too: its strays are left alone')
  return owner === own
}

async function sweepUnused(deps: Sweeping): Promise<number> {
  let removed = 0
  for (;;) {
    const keys = await inTransaction(deps.db, (tx) => deleteOrphans(tx, BATCH))
    await removeAllObjects(deps, keys)
    removed += keys.length
    if (keys.length < BATCH) return removed
  }
}

/** Skips today and yesterday: an upload in progress has its object before its row. */
async function sweepStrays(deps: Sweeping, now: Date): Promise<number> {
  let removed = 0
  for (let back = 2; back <= DAYS_BACK; back++) {
    const day = new Date(now.getTime() - back * limits.DAY * 1000)
    let keys: string[] = []
    const removeUnknown = async () => {
      const known = keys.length === 0 ? new Set() : await knownKeys(deps.db, keys)
      const strays = keys.filter((key) => !known.has(key))
      await removeAllObjects(deps, strays)
      removed += strays.length
      keys = []
    }
    for await (const { key } of deps.storage.list(keysOfDay(day))) {
      keys.push(key)
      if (keys.length === BATCH) await removeUnknown()
    }
    await removeUnknown()
  }
  return removed
}
