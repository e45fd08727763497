import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import {
  connect,
  constraintOf,
  inTransaction,
  validateStatements,
  rawQuery,
  placeholders,
  prepareAll,
  prepared,
} from '../src/index.ts'
import { roles, users } from '../src/schema/index.ts'
import { createTestDatabase } from '@community/testing/database'

const roleByName = prepared('test_role_by_name', (q) =>
  q
    .select({ name: roles.name, emoji: roles.emoji })
    .from(roles)
    .where(eq(roles.name, sql.placeholder('name'))),
)

const database = await createTestDatabase()
const connection = connect(database.url, { max: 1 })
afterAll(async () => {
  await connection.close()
  await database.drop()
})

/** How often each prepared statement on roles was run on the connection. */
const runsOfPrepared = async () => {
  const rows = await connection.sql<{ runs: number }[]>`
    select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where statement like ${'%"roles"%'}`
  return rows.map(({ runs }) => runs)
}

describe('a statement', () => {
  it('is prepared once per connection', async () => {
    await prepareAll()
    for (const name of ['Scrum Master', 'UX Designer', 'nobody'])
      expect(await roleByName(connection.db, { name })).toHaveLength(name === 'nobody' ? 0 : 1)
    expect(await runsOfPrepared()).toEqual([3])
  })
  it('is the same one inside a transaction', async () => {
    await inTransaction(connection.db, (tx) => roleByName(tx, { name: 'UI Designer' }))
    expect(await runsOfPrepared()).toEqual([4])
  })
  it('has its text built once, over all transactions and pools', async () => {
    let buildCount = 0
    const roleNames = prepared('test_role_names', (q) => {
      buildCount++
      return q.select({ name: roles.name }).from(roles)
    })
    const other = connect(database.url, { max: 1, applicationName: 'another pool' })
    const names = await roleNames(connection.db)
    for (const { db } of [connection, other]) expect(await inTransaction(db, (tx) => roleNames(tx))).toEqual(names)
    await other.close()
    expect(buildCount).toBe(1)
    await expect(roleNames(other.db)).rejects.toMatchObject({ cause: { code: 'CONNECTION_ENDED' } })
  })
  it('is pipelined with others in call order', async () => {
    const sent: string[] = []
    const { db, sql: driver, close } = connect(database.url, { max: 1 })
    const name = sql.placeholder('name')
    const insert = prepared('test_insert', (q) =>
      q.insert(roles).values({ ...placeholders(['name', 'emoji', 'position']), description: '', category: 'Other' }),
    )
    const updateEmoji = prepared(
      'test_plain',
      rawQuery<{ emoji: string }>(sql`update roles set emoji = '🧵' where name = ${name} returning emoji`),
    )
    await db.execute(sql`select 1`)
    Object.assign(driver.options, { debug: (_connection: number, text: string) => sent.push(text.split(' ')[0] ?? '') })
    const row = { name: 'Weaver', emoji: '🧶', position: 99 }
    const found = await inTransaction(db, async (tx) => {
      const all = Promise.all([
        roleByName(tx, row),
        insert(tx, row),
        roleByName(tx, row),
        updateEmoji(tx, row),
        roleByName(tx, row),
      ])
      return (await all).map(([first]) => first?.emoji)
    })
    await close()
    expect(found).toEqual([undefined, undefined, '🧶', '🧵', '🧵'])
    expect(sent).toEqual(['begin', 'select', 'insert', 'select', 'update', 'select', 'commit'])
  })
  it('has a unique name', () => {
    expect(() => prepared('test_role_by_name', (q) => q.select().from(roles))).toThrow('test_role_by_name')
  })
  it('is reported by name when it does not match the schema', async () => {
    expect(await validateStatements(connection)).toEqual([])
    prepared('test_misfit', (q) => q.select({ gone: sql`roles.gone` }).from(roles))
    expect(await validateStatements(connection)).toEqual(['test_misfit: column roles.gone does not exist'])
  })
})

describe('inTransaction', () => {
  const person = (email: string) => ({ name: 'Sara', email })
  it('commits all or nothing', async () => {
    const attempt = inTransaction(connection.db, async (tx) => {
      await tx.insert(users).values(person('a@example.ma'))
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await connection.db.select().from(users)).toEqual([])
  })
  it('exposes the violated constraint', async () => {
    const twice = inTransaction(connection.db, async (tx) => {
      await tx.insert(users).values(person('b@example.ma'))
      await tx.insert(users).values(person('b@example.ma'))
    })
    expect(constraintOf(await twice.catch((error: unknown) => error))).toBe('users_email_unique')
  })
  it('throws the first error of pipelined statements', async () => {
    const insert = prepared('test_insert_person', (q) => q.insert(users).values(placeholders(['name', 'email'])))
    const twice = inTransaction(connection.db, async (tx) => {
      const sent = [1, 2].map(() => insert(tx, person('c@example.ma')))
      const later = roleByName(tx, { name: 'nobody' })
      await Promise.allSettled(sent)
      await later
    })
    expect(constraintOf(await twice.catch((error: unknown) => error))).toBe('users_email_unique')
  })
  it('retries serialization failures five times, then throws', async () => {
    let runs = 0
    const attempt = inTransaction(connection.db, (tx) => {
      runs++
      return tx.execute(sql`do $$ begin raise sqlstate '40001'; end $$`)
    })
    await expect(attempt).rejects.toMatchObject({ cause: { code: '40001' } })
    expect(runs).toBe(6)
  })
  it('retries a deadlock', async () => {
    const other = connect(database.url, { max: 2 })
    const [a, b] = await connection.db
      .insert(users)
      .values([person('c@example.ma'), person('d@example.ma')])
      .returning()
    let runs = 0
    let signalBothHold: () => void = () => {}
    const bothHold = new Promise<void>((resolve) => (signalBothHold = resolve))
    let holders = 0
    const lockBoth = (first: string, second: string) =>
      inTransaction(other.db, async (tx) => {
        runs++
        await tx.update(users).set({ name: 'X' }).where(eq(users.id, first))
        if (++holders === 2) signalBothHold()
        await bothHold
        await tx.update(users).set({ name: 'Y' }).where(eq(users.id, second))
      })
    await Promise.all([lockBoth(a?.id ?? '', b?.id ?? ''), lockBoth(b?.id ?? '', a?.id ?? '')])
    expect(runs).toBe(3)
    await other.close()
  })
})
