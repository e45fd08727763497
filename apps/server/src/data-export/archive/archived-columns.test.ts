import { getTableColumns } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { ARCHIVED_TABLES } from './archived-tables.ts'

describe('the archive of the product', () => {
  it('leaves out only secrets, and what identifies the installation or belongs to an omitted row', () => {
    const left = ARCHIVED_TABLES.flatMap(({ table, name, columns }) => {
      const archived = new Set(columns.values())
      const others = Object.entries(getTableColumns(table)).filter(([, column]) => !archived.has(column))
      return others.map(([key]) => `${name}.${key}`)
    })
    expect(left).toEqual([
      'users.passwordHash',
      'challenges.deletedAt',
      'audit_log.useKey',
      'settings.communityId',
      'settings.secretFingerprint',
    ])
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
