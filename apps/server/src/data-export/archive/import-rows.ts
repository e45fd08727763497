import { isDatabaseUnavailable, type Reader, type Tx } from '@community/db'
import { roles, settings } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'
import { ARCHIVED_TABLES, type ArchivedTable } from './archived-tables.ts'
import { ArchiveError } from './manifest.ts'
import type { Archive } from './read-archive.ts'
import {
  FILLED_BY_ADMIN,
  type InsertOptions,
  isSequenceInUse,
  type SoleAdmin,
  valuesThatAvoid,
} from './admin-commands.ts'
import type { Progress } from './write-archive.ts'

/** Tables that migrations fill. */
const FILLED_BY_MIGRATIONS: readonly unknown[] = [roles, settings]

/** Throws `ArchiveError` unless nobody, or only the administrator who imports, has used the product yet. */
export async function assertEmpty(tx: Reader, admin?: SoleAdmin): Promise<void> {
  const filled = admin ? [...FILLED_BY_MIGRATIONS, ...FILLED_BY_ADMIN] : FILLED_BY_MIGRATIONS
  for (const { table, name } of ARCHIVED_TABLES) {
    if (filled.includes(table)) continue
    const rows = await tx.execute(sql`select 1 from ${table} limit 1`)
    if (rows.length > 0)
      throw new ArchiveError(`The database is not empty (${name} has rows): import into a new one`, 'not-empty')
  }
}

/** Statements of at most so many rows and characters. */
const BATCH_ROWS = 500
const BATCH_LENGTH = 1024 * 1024

async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let [batch, length]: [string[], number] = [[], 0]
  for await (const line of lines) {
    batch.push(line)
    length += line.length
    if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue
    yield batch
    ;[batch, length] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

/** PostgreSQL would ignore an unknown key and take a missing one for null. */
function checkKeys(line: string, { columns, name }: ArchivedTable, row: number): void {
  let keys: string[] = []
  try {
    keys = Object.keys(JSON.parse(line) as object)
  } catch {
    // An empty list of keys is wrong, too.
  }
  if (keys.length !== columns.size || !keys.every((key) => columns.has(key)))
    throw new ArchiveError(`tables/${name}.jsonl, line ${row}: these are not the columns of ${name}`, 'rejected-rows')
}

function insertStatement(
  { table, columns, name }: ArchivedTable,
  batch: readonly string[],
  { values = {}, skipsKnown = false }: InsertOptions,
): SQL {
  const list = (toSql: (column: string) => SQL) => sql.join(Array.from(columns.keys(), toSql), sql`, `)
  const names = list((column) => sql`${sql.identifier(column)}`)
  const selected = list((column) => values[column] ?? sql`${sql.identifier(column)}`)
  const rows = sql`jsonb_populate_recordset(null::${table}, ${`[${batch.join(',')}]`}::text::jsonb)`
  const insert = sql`insert into ${sql.identifier(name)} (${names}) overriding system value select ${selected} from ${rows}`
  if (skipsKnown) return sql`${insert} on conflict do nothing`
  if (table !== settings) return insert
  return sql`${insert} on conflict (id) do update set (${names}) = row (${list((column) => sql`excluded.${sql.identifier(column)}`)})`
}

interface ImportOptions {
  onProgress: Progress
  /** The administrator who imports from the admin area: the only account. */
  admin?: SoleAdmin | undefined
}

async function insertTable(tx: Tx, archive: Archive, entry: ArchivedTable, { onProgress, admin }: ImportOptions) {
  const { name } = entry
  const expected = archive.manifest.tables[name] ?? 0
  let count = 0
  for await (const batch of inBatches(archive.lines(name))) {
    for (const [position, line] of batch.entries()) checkKeys(line, entry, count + position + 1)
    const options = admin ? valuesThatAvoid(entry.table, admin, count - expected) : {}
    await tx.execute(insertStatement(entry, batch, options)).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      const { cause } = error as Error
      const reason = cause instanceof Error ? cause.message : String(error)
      const lines = `tables/${name}.jsonl, lines ${count + 1} to ${count + batch.length}`
      throw new ArchiveError(`${lines}: ${reason}`, 'rejected-rows', { cause: error })
    })
    count += batch.length
    onProgress(name, count, expected)
  }
  if (count !== expected)
    throw new ArchiveError(`tables/${name}.jsonl has ${count} rows instead of ${expected}`, 'damaged')
}

/** Ids that the database assigns go on after the imported ones. */
async function continueSequences(tx: Tx, admin: SoleAdmin | undefined): Promise<void> {
  for (const { table, name, columns } of ARCHIVED_TABLES) {
    if (admin && isSequenceInUse(table)) continue
    for (const [column, { columnType, generatedIdentity }] of columns)
      if (generatedIdentity || /Serial/.test(columnType))
        // Never back: clients of the live stream remember the last number that they saw.
        await tx.execute(sql`select setval(sequence, greatest(pg_sequence_last_value(sequence),
          (select max(${sql.identifier(column)}) from ${table}), 0) + 1, false)
          from (select pg_get_serial_sequence(${name}, ${column})::regclass as sequence) as named`)
  }
}

/** Inserts the rows of all tables. Triggers count them. */
export async function importRows(tx: Tx, archive: Archive, options: ImportOptions): Promise<void> {
  await tx.delete(roles)
  for (const entry of ARCHIVED_TABLES) await insertTable(tx, archive, entry, options)
  await continueSequences(tx, options.admin)
}
