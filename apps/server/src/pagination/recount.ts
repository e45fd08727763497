import { inTransaction, type Tx } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

/** The tables whose rows are counted, with the function that returns what a row counts for. */
const COUNTED = [
  { table: 'users', type: 'uuid', functionName: 'counts_of_user' },
  { table: 'teams', type: 'uuid', functionName: 'counts_of_team' },
  { table: 'submissions', type: 'uuid', functionName: 'counts_of_submission' },
  { table: 'points_ledger', type: 'bigint', functionName: 'counts_of_points' },
  { table: 'warnings', type: 'uuid', functionName: 'counts_of_warning' },
] as const

/** Rows per statement: far below the statement timeout. */
const BATCH = 10_000

interface Drift {
  name: string
  key: number
  counted: number
  actual: number
}

/** Adds what the rows of a table count for to the temporary table `recounted`, in batches by id. */
async function recountTable(
  tx: Tx,
  { table, type, functionName }: (typeof COUNTED)[number],
  { batch, signal }: { batch: number; signal: AbortSignal | undefined },
): Promise<void> {
  const [rows, countsOf, idType] = [sql.raw(table), sql.raw(functionName), sql.raw(type)]
  let after: string | null = null
  do {
    signal?.throwIfAborted()
    const [last]: { id: string }[] = await tx.execute<{ id: string }>(sql`
      select id::text from ${rows} where ${after}::text is null or id > ${after}::text::${idType}
      order by ${rows}.id offset ${batch - 1} limit 1`)
    const until: string | null = last?.id ?? null
    await tx.execute(sql`
      insert into recounted select c.name, c.key, sum(c.amount) from ${rows} r, ${countsOf}(r) c
      where (${after}::text is null or r.id > ${after}::text::${idType})
        and (${until}::text is null or r.id <= ${until}::text::${idType})
      group by 1, 2`)
    after = until
  } while (after !== null)
}

/**
 * Recounts all rows in one snapshot, adds the differences to `counts` and returns them. Rejects once `signal` is aborted. A difference
 * is a defect: the triggers keep counts and rows equal in each transaction.
 */
export function correctCounts(
  { db }: Pick<Deps, 'db'>,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<Drift[]> {
  return inTransaction(db, async (tx) => {
    // Of a concurrent write, the snapshot has both its rows and its counts, or neither.
    await tx.execute(sql`set transaction isolation level repeatable read`)
    await tx.execute(sql`create temporary table recounted (name text, key integer, amount bigint) on commit drop`)
    for (const counted of COUNTED) await recountTable(tx, counted, { batch, signal })
    return tx.execute<Drift & Record<string, unknown>>(sql`
      with counted as (select name, key, sum(amount) as amount from counts group by name, key),
      actual as (select name, key, sum(amount) as amount from recounted group by name, key),
      drift as (
        select name, key, coalesce(counted.amount, 0) as counted, coalesce(actual.amount, 0) as actual
        from counted full join actual using (name, key)
        where coalesce(counted.amount, 0) <> coalesce(actual.amount, 0)
      ),
      corrected as (insert into counts select name, key, actual - counted from drift)
      select name, key, counted::float8 as counted, actual::float8 as actual from drift order by name, key`)
  })
}
