import * as schema from '@community/db/schema'
import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { DATA_COLUMNS } from '../data-columns.ts'
import type { Decision } from '../decision.ts'
import { ARCHIVED } from './archived-columns.ts'
import { ARCHIVED_TABLES } from './archived-tables.ts'

type AnyDecision = { omitted?: string; columns?: readonly string[]; withheld?: readonly string[] }
const decisions: Record<string, AnyDecision> = ARCHIVED
const personal: Record<string, Decision> = DATA_COLUMNS
const tables = Object.entries(schema).flatMap(([name, value]) => (is(value, PgTable) ? [{ name, table: value }] : []))

describe('the archive of the product', () => {
  it.each(tables)('has a decision for each column of $name', ({ name, table }) => {
    const { omitted, columns = [], withheld = [] } = decisions[name] ?? {}
    if (omitted !== undefined) return expect(omitted).not.toBe('')
    expect([...columns, ...withheld].toSorted()).toEqual(Object.keys(getTableColumns(table)).toSorted())
  })

  it.each(tables)('has no secret of $name', ({ name }) => {
    const { columns = [] } = decisions[name] ?? {}
    expect(columns.filter((column) => personal[name]?.secret?.includes(column))).toEqual([])
  })

  it('names every table after those that its rows refer to', () => {
    const names = ARCHIVED_TABLES.map(({ name }) => name)
    for (const { table, name } of ARCHIVED_TABLES)
      for (const key of getTableConfig(table).foreignKeys) {
        const parent = getTableConfig(key.reference().foreignTable).name
        if (parent !== name) expect(names.slice(0, names.indexOf(name))).toContain(parent)
      }
  })
})
