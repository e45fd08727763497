import { setImmediate as nextEventLoop } from 'node:timers/promises'
import { type Db, prepared } from '@community/db'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { versionColumns } from '../database/version-columns.ts'
import { databaseErrorOf, AppError } from '../errors.ts'

/**
 * The version of the database's contents. It changes when a writing transaction ends, in any process, and when a deadline passes.
 * Two responses computed from the database alone at the same version are equal.
 */
const selectVersion = prepared('response-cache.version', (db) => db.select(versionColumns).from(sql`(select 1) as one`))

/** The current version. Throws 503 when the database is unavailable. */
export async function databaseVersion(db: Db): Promise<string> {
  const [row] = await selectVersion(db).catch((error: unknown) => {
    const definition = databaseErrorOf(error)
    throw definition ? new AppError(definition) : error
  })
  return `${row?.snapshot} ${row?.nextDeadline}`
}

/** Bytes of responses and their keys; beyond them the least recently used are evicted. */
const MAX_BYTES = 16 * 2 ** 20

/** Returns the bytes cached under a key, or creates and caches them. */
export type ResponseCache = (key: string, create: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Caches responses until the database changes. Each request queries `currentVersion`, at a fraction of a response's cost; concurrent
 * requests share the query and a response that is being created.
 */
export function createResponseCache(currentVersion: () => Promise<string>, maxBytes = MAX_BYTES): ResponseCache {
  const responses = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (response, key) => key.length + response.length,
  })
  let pending = new Map<string, Promise<Buffer>>()
  let versionQuery: Promise<string> | undefined
  let cachedVersion = ''

  const queryVersion = async () => {
    // An in-flight query may predate the client's own write, so later requests start a new one.
    await nextEventLoop()
    versionQuery = undefined
    return currentVersion()
  }
  return async (key, create) => {
    versionQuery ??= queryVersion()
    const version = await versionQuery
    if (version !== cachedVersion) {
      responses.clear()
      pending = new Map()
    }
    cachedVersion = version
    const cached = responses.get(key) ?? pending.get(key)
    if (cached) return cached
    // A response created from here on is at least as new as `version`; a write in between changes the next version.
    const [pendingAtStart, promise] = [pending, create()]
    pendingAtStart.set(key, promise)
    try {
      const response = await promise
      if (pendingAtStart === pending) responses.set(key, response)
      return response
    } finally {
      pendingAtStart.delete(key)
    }
  }
}
