import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { type Connection } from '@community/db'
import * as schema from '@community/db/schema'
import { is } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATA_COLUMNS } from './data-columns.ts'
import type { Decision } from './decision.ts'

let database: TestDatabase
let connection: Connection
beforeAll(async () => {
  database = await createTestDatabase()
  connection = database.connect({ max: 1 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const tables = Object.entries(schema).flatMap(([name, value]) => (is(value, PgTable) ? [{ name, table: value }] : []))
const decisions: Record<string, Decision> = DATA_COLUMNS
const exportedColumns = ({ sections = {} }: Decision) => Object.values(sections).flatMap(({ columns }) => columns)

describe('the decision about each column', () => {
  it('covers every table and column of the database', async () => {
    const stored = await connection.sql<{ place: string }[]>`
      select c.table_name || '.' || column_name as place from information_schema.columns c
      join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`
    const decided = tables.flatMap(({ name, table }) => {
      const decision = decisions[name] ?? {}
      const columns = new Map(Object.entries(table).map(([key, column]) => [key, column as { name?: string }]))
      const names = [...exportedColumns(decision), ...(decision.withheld ?? []), ...(decision.secret ?? [])]
      return names.map((key) => `${getTableConfig(table).name}.${toSnakeCase(columns.get(key)?.name ?? key)}`)
    })
    expect(new Set(decided)).toEqual(new Set(stored.map(({ place }) => place)))
  })

  it.each(tables.map(({ name }) => name))('is one per column of %s', (name) => {
    const { withheld = [], secret = [], ...decision } = decisions[name] ?? {}
    const kinds = [[...new Set(exportedColumns(decision))], withheld, secret]
    expect(new Set(kinds.flat()).size).toBe(kinds.flat().length)
  })

  it('names each section once', () => {
    const names = Object.values(decisions).flatMap(({ sections = {} }) => Object.keys(sections))
    expect(new Set(names).size).toBe(names.length)
  })
})
