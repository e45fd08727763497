import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { users } from './schema/index.ts'
import { pickColumns, sharedColumns } from './shared-columns.ts'

it('selects the columns that a shape names', () =>
  expect(sharedColumns(users, { name: 1, email: 1, notAColumn: 1 })).toEqual({ name: users.name, email: users.email }))

it('leaves out values without a column, whatever their type says', () => {
  const values = { name: 'Nour', role: 'admin', bio: undefined, constructor: 'x' }
  expect(pickColumns(values, sharedColumns(users, { name: 1, bio: 1 }))).toStrictEqual({ name: 'Nour', bio: undefined })
  expect(pickColumns(values, getTableColumns(users))).toStrictEqual({ name: 'Nour', role: 'admin', bio: undefined })
})
