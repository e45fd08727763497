import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, prepared } from '@community/db'
import { challenges } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { databaseErrorOf, AppError } from '../errors.ts'

/**
 * Names what the database holds. The name changes when a transaction that wrote has ended, wherever it ran, and when a deadline has
 * passed. As long as it is the same, so is every answer that is made of nothing but the database.
 */
const version = prepared('response-cache.version', (db) =>
  db
    .select({
      transactions: sql<string>`pg_current_snapshot()::text`,
      nextDeadline: sql<string | null>`(
        select min(${challenges.deadline}) from ${challenges} where ${challenges.isActive} and ${challenges.deadline} > now())::text`,
    })
    .from(sql`(select 1) as one`),
)

/** The name at this moment. */
export async function databaseVersion(db: Db): Promise<string> {
  const [row] = await version(db).catch((error: unknown) => {
    const fault = databaseErrorOf(error)
    throw fault ? new AppError(fault) : error
  })
  return `${row?.transactions} ${row?.nextDeadline}`
}

/** Bytes of answers and their keys; beyond them those go first that nobody asked for the longest. */
const MAX_BYTES = 16 * 2 ** 20

/** Answers with the bytes stored under a key, or makes and stores them. */
export type ResponseCache = (key: string, make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Stores answers for as long as they are exact. Each request asks the database whether anything changed, by `versionNow`, which costs a
 * fraction of the answer; requests that arrive together share that query, and an answer that is being made.
 */
export function createResponseCache(versionNow: () => Promise<string>, maxBytes = MAX_BYTES): ResponseCache {
  const answers = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (answer, key) => key.length + answer.length,
  })
  let beingMade = new Map<string, Promise<Buffer>>()
  let query: Promise<string> | undefined
  let current = ''

  const ask = async () => {
    // A query that is on its way may predate a write that this request's sender knows of.
    await nextTurn()
    query = undefined
    return versionNow()
  }
  return async (key, make) => {
    query ??= ask()
    const now = await query
    if (now !== current) {
      answers.clear()
      beingMade = new Map()
    }
    current = now
    const known = answers.get(key) ?? beingMade.get(key)
    if (known) return known
    // What is made from here on is at least as new as `now`: if a write comes between, the next query tells.
    const [ours, made] = [beingMade, make()]
    ours.set(key, made)
    try {
      const answer = await made
      if (ours === beingMade) answers.set(key, answer)
      return answer
    } finally {
      ours.delete(key)
    }
  }
}
