import type { Reader } from '@community/db'
import { and, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'

type Row = Record<string, unknown>

/** Rows per statement. */
const BATCH = 500

export function primaryKeyOf(table: PgTable): PgColumn[] {
  const { columns, primaryKeys, name } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  if (key.length === 0) throw new Error(`${name} has no primary key`)
  return key
}

/** The columns `names` of the rows that match, by primary key, in batches: memory does not grow with the table. */
export async function* readRows(
  db: Reader,
  table: PgTable,
  names: readonly string[],
  where: SQL | undefined,
): AsyncGenerator<Row> {
  const key = primaryKeyOf(table)
  const keyList = sql.join(key, sql`, `)
  const all = getTableColumns(table)
  const selection = Object.fromEntries([
    ...names.map((name) => [name, all[name]]),
    ...key.map((column, index) => [`key ${index}`, column]),
  ]) as Record<string, PgColumn>
  let after: SQL | undefined
  for (;;) {
    const rows: Row[] = await db
      .select(selection)
      .from(table)
      .where(and(where, after))
      .orderBy(...key)
      .limit(BATCH)
    for (const row of rows) yield Object.fromEntries(names.map((name) => [name, row[name]]))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    const values = key.map((column, index) => sql.param(last[`key ${index}`], column))
    after = sql`(${keyList}) > (${sql.join(values, sql`, `)})`
  }
}
