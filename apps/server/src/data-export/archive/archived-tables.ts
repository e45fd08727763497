import { CASING } from '@community/db'
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { DATA_COLUMNS } from '../data-columns.ts'
import { type TableName, TABLES } from '../decision.ts'
import { primaryKeyOf } from '../read-rows.ts'
import { ARCHIVED } from './archived-columns.ts'

export interface ArchivedTable {
  table: PgTable
  /** In the database, and of the entry in the archive. */
  name: string
  /** By their names in the database. */
  columns: ReadonlyMap<string, PgColumn>
  /** What is exported of each column, by the same names. */
  values: ReadonlyMap<string, PgColumn | SQL>
  where: SQL | undefined
  primaryKey: SQL
}

const casing = new CasingCache(CASING)

function describe(name: TableName): ArchivedTable[] {
  const decision = ARCHIVED[name]
  if ('omitted' in decision) return []
  const table = TABLES[name]
  const withheld = new Set<string>([...(decision.withheld ?? []), ...(DATA_COLUMNS[name].secret ?? [])])
  const columns = Object.entries<PgColumn>(getTableColumns(table)).filter(([key]) => !withheld.has(key))
  const values: Readonly<Record<string, SQL>> = decision.values ?? {}
  return [
    {
      table,
      name: getTableConfig(table).name,
      columns: new Map(columns.map(([, column]) => [casing.getColumnCasing(column), column])),
      values: new Map(columns.map(([key, column]) => [casing.getColumnCasing(column), values[key] ?? column])),
      where: decision.where,
      primaryKey: sql.join(primaryKeyOf(table), sql`, `),
    },
  ]
}

const parentsOf = (table: PgTable): PgTable[] =>
  getTableConfig(table).foreignKeys.map((key) => key.reference().foreignTable)

/** Every table after those that its foreign keys refer to. */
function inInsertionOrder(tables: readonly ArchivedTable[]): ArchivedTable[] {
  const ordered: ArchivedTable[] = []
  const visit = (entry: ArchivedTable) => {
    if (ordered.includes(entry)) return
    for (const parent of tables.filter(({ table }) => table !== entry.table && parentsOf(entry.table).includes(table)))
      visit(parent)
    ordered.push(entry)
  }
  for (const entry of tables) visit(entry)
  return ordered
}

/** The tables of the archive, in an order in which their rows can be inserted. Cast, because Object.keys returns strings. */
export const ARCHIVED_TABLES = inInsertionOrder((Object.keys(ARCHIVED) as TableName[]).flatMap(describe))
