import { text } from 'node:stream/consumers'
import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { deleteUntrackedParts } from '../data-export/import/sweep-parts.ts'
import { findCommunityId } from '../system/queries.ts'
import { fileKeyOf, thumbnailPrefix } from '../previews/preview.ts'
import { keyPrefixOfDay } from './file-url.ts'
import { queueRemoval, removeAllObjects } from './remove-objects.ts'
import { deleteOrphans } from './commands.ts'
import { findExistingKeys } from './queries.ts'

const BATCH = 200
/** Days back in which untracked objects are searched; older ones are never found. */
const DAYS_BACK = 8
/** Days for which an untracked object is spared: an import stores files with old keys hours before their rows. */
const SPARED_DAYS = 2

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * limits.DAY * 1000)

interface SweepDeps extends Pick<Deps, 'db' | 'storage' | 'secret' | 'log'> {
  /** Ends the sweep between two batches. */
  stopping?: AbortSignal
}

/**
 * Deletes files that were unused for 24 hours, objects without a row and drafts of killed uploads. Deletes rows first, so that a crash in
 * between leaves an untracked object for the next sweep. Safe to run in several processes at once.
 */
export async function sweepOrphans(deps: SweepDeps, now = new Date()): Promise<{ files: number; untracked: number }> {
  const files = await deleteUnusedFiles(deps)
  if (!(await isOwnStorage(deps))) return { files, untracked: 0 }
  const untracked = (await deleteUntrackedObjects(deps, now)) + (await deleteUntrackedParts(deps, now))
  await deps.storage.removeDrafts?.(daysBefore(now, 1))
  return { files, untracked }
}

/** The key of the object that holds the id of the owning database. */
const OWNER_KEY = 'community'

/**
 * Untracked objects are deleted only if the storage belongs to this database: the first database to sweep a storage marks it, and
 * servers with another database delete nothing.
 */
async function isOwnStorage({ db, storage, log }: SweepDeps): Promise<boolean> {
  const ownId = await findCommunityId(db)
  if (!(await storage.head(OWNER_KEY)))
    await storage.put(OWNER_KEY, Buffer.from(ownId), { contentType: 'text/plain', size: ownId.length })
  const marker = await storage.open(OWNER_KEY)
  const owner = marker && (await text(marker.body))
  if (owner !== ownId)
    log.error({ own: ownId, owner }, 'the storage belongs to another database: not deleting untracked objects')
  return owner === ownId
}

async function deleteUnusedFiles(deps: SweepDeps): Promise<number> {
  let removed = 0
  for (;;) {
    deps.stopping?.throwIfAborted()
    const keys = await inTransaction(deps.db, async (tx) => {
      const deleted = await deleteOrphans(tx, BATCH)
      await queueRemoval(tx, deps, deleted)
      return deleted
    })
    await removeAllObjects(deps, keys)
    removed += keys.length
    if (keys.length < BATCH) return removed
  }
}

/** Whether a sweep of the last day, or a future one, deletes the object if it has no row. */
export const isSwept = (key: string): boolean => fileKeyOf(key) >= keyPrefixOfDay(daysBefore(new Date(), DAYS_BACK + 1))

/** Skips objects of today and yesterday: an upload in progress has its object before its row. */
async function deleteUntrackedObjects(deps: SweepDeps, now: Date): Promise<number> {
  let removed = 0
  for (let daysAgo = 2; daysAgo <= DAYS_BACK; daysAgo++) {
    const day = daysBefore(now, daysAgo)
    let keys: string[] = []
    const removeUntracked = async () => {
      const tracked = keys.length === 0 ? new Set() : await findExistingKeys(deps.db, keys.map(fileKeyOf))
      const untracked = keys.filter((key) => !tracked.has(fileKeyOf(key)))
      await removeAllObjects(deps, untracked)
      removed += untracked.length
      keys = []
    }
    const prefix = keyPrefixOfDay(day)
    for (const list of [deps.storage.list(prefix), deps.storage.list(thumbnailPrefix(prefix))])
      for await (const { key, modifiedAt } of list) {
        deps.stopping?.throwIfAborted()
        if (modifiedAt > daysBefore(now, SPARED_DAYS)) continue
        keys.push(key)
        if (keys.length === BATCH) await removeUntracked()
      }
    await removeUntracked()
  }
  return removed
}
