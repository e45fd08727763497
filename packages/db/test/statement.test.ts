import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connect, constraintOf, inTransaction, prepareAll, statement } from '../src/index.ts'
import { roles, users } from '../src/schema/index.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'

const roleByName = statement('test_role_by_name', (q) =>
  q
    .select({ name: roles.name, emoji: roles.emoji })
    .from(roles)
    .where(eq(roles.name, sql.placeholder('name'))),
)

let database: TestDatabase
let connection: Connection

beforeAll(async () => {
  database = await createTestDatabase()
  connection = connect(database.url, { max: 1 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const preparedTexts = async () => {
  const rows = await connection.sql<{ statement: string }[]>`select statement from pg_prepared_statements`
  return rows.map((row) => row.statement).filter((text) => text.includes('"roles"'))
}

describe('a statement', () => {
  it('is prepared once on its connection and used again', async () => {
    prepareAll(connection.db)
    for (const name of ['Scrum Master', 'UX Designer', 'nobody'])
      expect(await roleByName(connection.db, { name })).toHaveLength(name === 'nobody' ? 0 : 1)
    expect(await preparedTexts()).toHaveLength(1)
  })
  it('is the same one inside a transaction', async () => {
    await inTransaction(connection.db, (tx) => roleByName(tx, { name: 'UI Designer' }))
    expect(await preparedTexts()).toHaveLength(1)
  })
  it('has a name of its own', () => {
    expect(() => statement('test_role_by_name', (q) => q.select().from(roles))).toThrow('test_role_by_name')
  })
})

describe('inTransaction', () => {
  const person = (email: string) => ({ name: 'Sara', email })
  it('keeps all or nothing', async () => {
    const attempt = inTransaction(connection.db, async (tx) => {
      await tx.insert(users).values(person('a@example.ma'))
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await connection.db.select().from(users)).toEqual([])
  })
  it('tells the constraint that refused a write', async () => {
    const twice = inTransaction(connection.db, async (tx) => {
      await tx.insert(users).values(person('b@example.ma'))
      await tx.insert(users).values(person('b@example.ma'))
    })
    expect(constraintOf(await twice.catch((error: unknown) => error))).toBe('users_email_unique')
  })
  it('tries a deadlock again', async () => {
    const other = connect(database.url, { max: 2 })
    const [a, b] = await connection.db
      .insert(users)
      .values([person('c@example.ma'), person('d@example.ma')])
      .returning()
    let runs = 0
    let bothHold: () => void = () => {}
    const meeting = new Promise<void>((resolve) => (bothHold = resolve))
    let holders = 0
    const lockBoth = (first: string, second: string) =>
      inTransaction(other.db, async (tx) => {
        runs++
        await tx.update(users).set({ name: 'X' }).where(eq(users.id, first))
        if (++holders === 2) bothHold()
        await meeting
        await tx.update(users).set({ name: 'Y' }).where(eq(users.id, second))
      })
    await Promise.all([lockBoth(a?.id ?? '', b?.id ?? ''), lockBoth(b?.id ?? '', a?.id ?? '')])
    expect(runs).toBe(3)
    await other.close()
  })
})
