import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from './client.ts'
import { unwrapAbortedTransaction, DatabaseUnavailable, isDatabaseUnavailable, isRetryable } from './errors.ts'

const RETRIES_MAX = 5

/**
 * Runs `work` in one transaction. Retries deadlocks and serialization failures up to five times, so `work` must not have effects outside
 * the database. Throws `DatabaseUnavailable` for a lost connection, also at COMMIT.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) =>
        work(tx).catch((error: unknown) => {
          throw unwrapAbortedTransaction(error)
        }),
      )
    } catch (error) {
      if (isRetryable(error) && attempt <= RETRIES_MAX) {
        await sleep(2 ** attempt * 5 * (0.5 + Math.random()))
        continue
      }
      if (isDatabaseUnavailable(error) && !(error instanceof DatabaseUnavailable)) throw new DatabaseUnavailable(error)
      throw error
    }
  }
}
