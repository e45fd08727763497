import type { Reader } from '@community/db'
import { uploads } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import type { ArchivedTable } from './archived-tables.ts'

/** The hash and time of the newest migration of the database; null for an empty one. */
export async function findMigration(db: Reader): Promise<{ hash: string; at: number } | null> {
  const [row] = await db.execute<{ hash: string; at: string }>(
    sql`select hash, created_at as at from drizzle.__drizzle_migrations order by created_at desc limit 1`,
  )
  return row ? { hash: row.hash, at: Number(row.at) } : null
}

/** A row as a line of JSON: keys are the names of columns. PostgreSQL escapes line breaks within. */
export function rowsAsJson({ table, values, where, primaryKey }: ArchivedTable) {
  const fields = Array.from(values, ([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`)
  return sql`select jsonb_build_object(${sql.join(fields, sql`, `)})::text as line from ${table}
    where ${where ?? sql`true`} order by ${primaryKey}`
}

/** The keys of all files. */
export const storedFiles = sql`select ${uploads.key}, ${uploads.preview} is not null as "hasPreview" from ${uploads} order by ${uploads.id}`
