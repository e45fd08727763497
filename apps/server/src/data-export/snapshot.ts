import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Tx } from '@community/db'
import { type SQL, sql } from 'drizzle-orm'
import type { ReplicaRead } from '../database/replica.ts'

/** Seconds without a statement, because the client reads slowly, after which PostgreSQL ends the snapshot. */
const IDLE_SECONDS = 60
/** Seconds of one statement: the first rows of a sorted table can take longer than the pool allows. */
const STATEMENT_SECONDS = 60
/** Rows per round trip. */
const FETCH = 200

/** Runs `work` in a read-only transaction whose statements all see the same state of the database. */
export async function inSnapshot<T>(read: ReplicaRead, work: (tx: Tx) => Promise<T>): Promise<T> {
  let hasBegun = false
  return read(
    (db) =>
      db.transaction(
        async (tx) => {
          await tx.execute(sql`select set_config('idle_in_transaction_session_timeout', ${`${IDLE_SECONDS}s`}, true),
            set_config('statement_timeout', ${`${STATEMENT_SECONDS}s`}, true), set_config('timezone', 'UTC', true)`)
          hasBegun = true
          return work(tx)
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      ),
    () => !hasBegun,
  )
}

/** The rows of a query in batches, from a cursor: memory does not grow with them. One at a time in a transaction. */
export async function* readCursor(tx: Tx, query: SQL): AsyncGenerator<Record<string, unknown>[]> {
  await tx.execute(sql`declare exported_rows no scroll cursor for ${query}`)
  for (;;) {
    const rows = await tx.execute(sql.raw(`fetch ${FETCH} from exported_rows`))
    if (rows.length > 0) yield [...rows]
    if (rows.length < FETCH) break
  }
  await tx.execute(sql`close exported_rows`)
}

/** A stream of what `produce` yields from a snapshot. Closing the stream ends the transaction. */
export function streamSnapshot(read: ReplicaRead, produce: (tx: Tx) => AsyncIterable<string>): Readable {
  const output = new PassThrough()
  inSnapshot(read, (tx) => pipeline(Readable.from(produce(tx)), output)).catch((error: Error) => output.destroy(error))
  return output
}
