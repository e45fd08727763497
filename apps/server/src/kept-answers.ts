import { setImmediate as turn } from 'node:timers/promises'
import { type Db, statement } from '@community/db'
import { challenges } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import { databaseFault, Refusal } from './errors.ts'

/**
 * Names what the database holds. The name changes when a transaction that wrote has ended, wherever it ran, and when a deadline has
 * passed. As long as it is the same, so is every answer that is made of nothing but the database.
 */
const version = statement('kept-answers.version', (db) =>
  db
    .select({
      transactions: sql<string>`pg_current_snapshot()::text`,
      nextDeadline: sql<string | null>`(
        select min(${challenges.deadline}) from ${challenges} where ${challenges.isActive} and ${challenges.deadline} > now())::text`,
    })
    .from(sql`(select 1) as one`),
)

/** The name at this moment. */
export async function versionOf(db: Db): Promise<string> {
  const [row] = await version(db).catch((error: unknown) => {
    const fault = databaseFault(error)
    throw fault ? new Refusal(fault) : error
  })
  return `${row?.transactions} ${row?.nextDeadline}`
}

/** Bytes that are kept at most. When there are more, keeping begins anew: what is asked for often is soon there again. */
const ROOM = 16 * 2 ** 20

/** Answers with the bytes kept under a key, or makes them. */
export type Keep = (key: string, make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Keeps answers for as long as they are exact. Each request asks the database whether anything changed, by `versionNow`, which costs a
 * fraction of the answer; requests that arrive together ask together, and wait together for an answer that is being made.
 */
export function keepAnswers(versionNow: () => Promise<string>, room = ROOM): Keep {
  let asked: Promise<string> | undefined
  let current = ''
  let answers = new Map<string, Promise<Buffer>>()
  let bytes = 0

  const beginAnew = () => {
    answers = new Map()
    bytes = 0
  }
  const ask = async () => {
    // A question that is on its way may have been answered before a write that this request's sender knows of.
    await turn()
    asked = undefined
    return versionNow()
  }
  return async (key, make) => {
    asked ??= ask()
    const now = await asked
    if (now !== current) beginAnew()
    current = now
    const known = answers.get(key)
    if (known) return known
    // What is made from here on is at least as new as `now`: if a write comes between, the next question tells.
    const [mine, made] = [answers, make()]
    mine.set(key, made)
    try {
      const answer = await made
      if (mine === answers) bytes += key.length + answer.length
      if (bytes > room) beginAnew()
      return answer
    } catch (error) {
      mine.delete(key)
      throw error
    }
  }
}
