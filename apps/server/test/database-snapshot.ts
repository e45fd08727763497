import type { TestServer } from './test-server.ts'

/** Counters and last-seen times, which rejected calls may change too. */
const IGNORED_TABLES = ['rate_limits']
const IGNORED_COLUMNS: Record<string, string[]> = {
  codes: ['tries'],
  refresh_families: ['last_used_at'],
  known_devices: ['last_seen_at'],
}

export interface DatabaseSnapshot {
  /** A checksum per table, without ignored tables and columns. */
  checksums(): Promise<Map<string, string>>
  /** The tables that differ from the snapshot, without ignored tables and columns. */
  changedTables(): Promise<string[]>
  /** Restores these tables and resets all attempt counters. */
  restore(changed: string[]): Promise<void>
}

async function findTables({ sql }: TestServer): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' group by c.table_name`
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Copies every table to a schema of the same database, to detect and undo the effects of calls. */
export async function snapshotDatabase(server: TestServer): Promise<DatabaseSnapshot> {
  const { sql } = server
  const tables = await findTables(server)
  const names = [...tables.keys()]
  await sql.unsafe(
    [
      'create schema snapshot',
      ...names.map((name) => `create table snapshot."${name}" as table public."${name}"`),
    ].join(';'),
  )

  // One statement for the checksums of all tables.
  const checksumQuery = names
    .filter((name) => !IGNORED_TABLES.includes(name))
    .map((name) => {
      const columns = (tables.get(name) ?? []).filter((column) => !IGNORED_COLUMNS[name]?.includes(column))
      const list = columns.map((column) => `"${column}"`).join(', ')
      // A sum of hashes needs no order: half the time of hashing all rows as one text.
      return `select '${name}' as name, (select count(*) || ' ' || coalesce(sum(hashtextextended(r::text, 0)), 0)
        from (select ${list} from public."${name}") r) as sum`
    })
    .join(' union all ')
  const read = async () => {
    const rows = await sql.unsafe<{ name: string; sum: string }[]>(checksumQuery, [], { prepare: true })
    return new Map(rows.map(({ name, sum }) => [name, sum]))
  }
  const original = await read()

  const resetAttempts = 'delete from rate_limits; update codes set tries = 0 where tries > 0;'
  const restoreTable = (name: string) =>
    `delete from public."${name}"; insert into public."${name}" overriding system value table snapshot."${name}";`
  return {
    checksums: read,
    async changedTables() {
      const now = await read()
      return [...original].filter(([name, sum]) => now.get(name) !== sum).map(([name]) => name)
    },
    async restore(changed) {
      // Sent as one text, the statements are one transaction. `replica` disables triggers and foreign keys, so the order of tables is free.
      const restoring = `set local session_replication_role = 'replica'; ${changed.map(restoreTable).join(' ')}`
      await sql.unsafe(`${changed.length > 0 ? restoring : ''} ${resetAttempts}`)
    },
  }
}
