import { type Reader, prepared, type Tx } from '@community/db'
import { type CountName, counts, TOTALS } from '@community/db/schema'
import { sql } from 'drizzle-orm'

const sumOfCounts = prepared('counts.sum', (db) =>
  db
    .select({ total: sql<number>`coalesce(sum(${counts.amount}), 0)::float8` })
    .from(counts)
    .where(sql`${counts.name} = any(${sql.placeholder('names')}::text[])`),
)
/** The sum of the named counts, as the total of a list (`withTotal`). */
export const readCountedTotal = (db: Reader, ...names: CountName[]) => sumOfCounts(db, { names })

const countsByName = prepared('counts.all', (db) =>
  db
    .select({ name: counts.name, total: sql<number>`sum(${counts.amount})::float8` })
    .from(counts)
    .where(sql`${counts.name} = any(${sql.placeholder('names')}::text[])`)
    .groupBy(counts.name),
)
/** Returns a function that looks up a total; 0 for a missing one. */
export async function readCounts(db: Reader): Promise<(name: (typeof TOTALS)[number]) => number> {
  const rows = await countsByName(db, { names: TOTALS })
  const totals = new Map<string, number>(rows.map(({ name, total }) => [name, total]))
  return (name) => totals.get(name) ?? 0
}

/** Merges the rows of each count into one. Rows inserted concurrently are left for the next run. */
export async function compactCounts(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with several as (select name, key from counts group by name, key having count(*) > 1),
    folded as (delete from counts using several where counts.name = several.name and counts.key = several.key
      returning counts.name, counts.key, counts.amount)
    insert into counts select name, key, sum(amount) from folded group by name, key having sum(amount) <> 0`)
}
