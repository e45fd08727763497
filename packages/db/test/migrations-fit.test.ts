import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type DrizzleSnapshotJSON, generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { MIGRATIONS_DIR } from '../src/index.ts'
import * as schema from '../src/schema/index.ts'
import { createTestDatabase } from '@community/testing/database'

const asJson = (imports: object) => generateDrizzleJson({ ...imports }, undefined, undefined, 'snake_case')

/** The snapshot of the newest migration, as used by `pnpm db:generate`. */
function newestSnapshot(): DrizzleSnapshotJSON {
  const read = (name: string) => JSON.parse(readFileSync(path.join(MIGRATIONS_DIR, 'meta', name), 'utf8'))
  const index: number = read('_journal.json').entries.length - 1
  return read(`${String(index).padStart(4, '0')}_snapshot.json`)
}

const migrated = await createTestDatabase()
const sql = postgres(migrated.url, { max: 1, onnotice: () => {} })
afterAll(async () => {
  await sql.end()
  await migrated.drop()
})

/** All columns, constraints, indexes and enums of a schema, one line each, from the catalog. */
async function definitionsIn(name: string): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select format('column %s.%s %s %s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = ${name}::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all select format('constraint %s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.connamespace = ${name}::regnamespace
    union all select format('index %s', indexdef) from pg_indexes where schemaname = ${name}
    union all select format('enum %s %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
    from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = ${name}::regnamespace group by t.typname`
  return rows.map(({ line }) => line.replaceAll(`${name}.`, '')).toSorted()
}

/** Creates the objects of the TypeScript schema in a second PostgreSQL schema. */
async function createDeclaredSchema(): Promise<void> {
  const statements = await generateMigration(asJson({}), asJson(schema))
  await sql`create schema declared`
  await sql`set search_path to declared, public`
  for (const statement of statements) await sql.unsafe(statement.replaceAll('"public".', '"declared".'))
}

describe('the migrations', () => {
  it('leave nothing for drizzle-kit to generate', async () => {
    expect(await generateMigration(newestSnapshot(), asJson(schema))).toEqual([])
  })

  it('create exactly the tables, constraints, indexes and enums of the schema', async () => {
    await createDeclaredSchema()
    const declared = await definitionsIn('declared')
    expect(declared.length).toBeGreaterThan(200)
    await sql`set search_path to public`
    expect(await definitionsIn('public')).toEqual(declared)
  })
})
