import type { TestServer } from './test-server.ts'

/** Counters and notes of when something was last seen: what a refused call, too, may leave. */
const IGNORED_TABLES = ['rate_limits']
const IGNORED_COLUMNS: Record<string, string[]> = {
  codes: ['tries'],
  refresh_families: ['last_used_at'],
  known_devices: ['last_seen_at'],
}

export interface DatabaseSnapshot {
  /** Every table boiled down to a line, apart from what a refused call may leave as well. */
  checksums(): Promise<Map<string, string>>
  /** The tables that are not as they were kept, apart from what a refused call may leave as well. */
  changedTables(): Promise<string[]>
  /** Puts these tables back, and forgets every attempt that was counted. */
  restore(changed: string[]): Promise<void>
}

async function findTables({ sql }: TestServer): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' group by c.table_name`
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Keeps every row of every table in the database itself: to tell whether a call left anything, and to take it back. */
export async function snapshotDatabase(server: TestServer): Promise<DatabaseSnapshot> {
  const { sql } = server
  const tables = await findTables(server)
  const names = [...tables.keys()]
  await sql.unsafe(
    ['create schema kept', ...names.map((name) => `create table kept."${name}" as table public."${name}"`)].join(';'),
  )

  // One statement for all tables, each boiled down to one line.
  const checksumQuery = names
    .filter((name) => !IGNORED_TABLES.includes(name))
    .map((name) => {
      const columns = (tables.get(name) ?? []).filter((column) => !IGNORED_COLUMNS[name]?.includes(column))
      const list = columns.map((column) => `"${column}"`).join(', ')
      return `select '${name}' as name, (select md5(coalesce(string_agg(r::text, '|' order by r::text), ''))
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
    `delete from public."${name}"; insert into public."${name}" table kept."${name}";`
  return {
    checksums: read,
    async changedTables() {
      const now = await read()
      return [...original].filter(([name, sum]) => now.get(name) !== sum).map(([name]) => name)
    },
    async restore(changed) {
      // Statements sent as one text are one transaction. Without triggers and references rows come back in any order, those of the
      // append-only log too.
      const restoring = `set local session_replication_role = 'replica'; ${changed.map(restoreTable).join(' ')}`
      await sql.unsafe(`${changed.length > 0 ? restoring : ''} ${resetAttempts}`)
    },
  }
}
