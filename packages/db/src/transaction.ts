import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import type { Db, LockingTx, Tx } from './client.ts'
import { unwrapAbortedTransaction, DatabaseUnavailable, isDatabaseUnavailable, isRetryable } from './errors.ts'

const RETRIES_MAX = 5

/**
 * Runs `work` in one transaction. Retries what `isRetryable` up to five times, so `work` must not have effects outside
 * the database. Throws `DatabaseUnavailable` if the database is unavailable (`isDatabaseUnavailable`), also at COMMIT.
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

/** The driver's transaction. Drizzle has it in a public field, `session.client`, but not in the type of `Tx`. */
const driverOf = (tx: Tx) => (tx._.session as unknown as { client: TransactionSql }).client

/**
 * Like `inTransaction`, for work that begins with locks: their statements are sent together with BEGIN, which saves a round trip.
 * Were BEGIN to fail, they would run outside the transaction: `lock` must only lock and read.
 */
export const inLockedTransaction = <L, T>(
  db: Db,
  lock: (tx: LockingTx) => Promise<L>,
  work: (tx: Tx, locked: L) => Promise<T>,
): Promise<T> => inTransaction(db, async (tx) => work(tx, await driverOf(tx).withBegin(() => lock(tx))))
