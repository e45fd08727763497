import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { createTestDatabase } from '@community/testing/database'
import { connect, inTransaction, prepared } from '../src/index.ts'
import { roles, users } from '../src/schema/index.ts'
import { unboundDatabase } from '../src/unbound-query.ts'

const database = await createTestDatabase()
const connection = connect(database.url, { max: 1 })
afterAll(async () => {
  await connection.close()
  await database.drop()
})

it('drizzle sets one undeclared field on what it prepares', () => {
  const db = unboundDatabase
  const undeclared = [
    db.select({ name: roles.name }).from(roles),
    db.insert(roles).values({ name: 'a', emoji: 'b', description: '', category: 'Other', position: 1 }).returning(),
    db.update(roles).set({ name: 'a' }).returning(),
    db.delete(roles).returning(),
  ].map((builder) => {
    const bare = ['authToken', 'cache', 'cacheConfig', 'query', 'queryMetadata']
    return Object.entries(builder.prepare('test_fields'))
      .filter(([field, value]) => !bare.includes(field) && value !== undefined)
      .map(([field]) => field)
  })
  expect(undeclared).toEqual([['joinsNotNullableMap'], [], ['joinsNotNullableMap'], []])
})

it('a missing joined row is null on the pool and in a transaction', async () => {
  const roleAndUser = prepared('test_role_and_user', (q) =>
    q
      .select({ role: roles.name, user: { id: users.id, name: users.name } })
      .from(roles)
      .leftJoin(users, eq(users.name, roles.name))
      .where(eq(roles.name, sql.placeholder('name'))),
  )
  const expected = [{ role: 'UX Designer', user: null }]
  expect(await roleAndUser(connection.db, { name: 'UX Designer' })).toEqual(expected)
  expect(await inTransaction(connection.db, (tx) => roleAndUser(tx, { name: 'UX Designer' }))).toEqual(expected)
})

it('a prepared statement runs on the transaction’s connection and is rolled back with it', async () => {
  const insertRole = prepared('test_insert_undone', (q) =>
    q.insert(roles).values({ name: 'Undone', emoji: 'x', description: '', category: 'Other', position: 98 }),
  )
  const attempt = inTransaction(connection.db, async (tx) => {
    await insertRole(tx)
    throw new Error('undo it')
  })
  await expect(attempt).rejects.toThrow('undo it')
  expect(await connection.db.select().from(roles).where(eq(roles.name, 'Undone'))).toEqual([])
})
