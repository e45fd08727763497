import { connect, type Connection } from '@community/db'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { insertChallenge } from '@community/testing/database/rows'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ResponseCache, createResponseCache, databaseVersion } from './response-cache.ts'

let database: TestDatabase
let here: Connection
let elsewhere: Connection
beforeAll(async () => {
  database = await createTestDatabase()
  here = connect(database.url)
  elsewhere = connect(database.url)
})
afterAll(async () => {
  await here.close()
  await elsewhere.close()
  await database.drop()
})

const hereNow = () => databaseVersion(here.db)
const made = (text: string) => Promise.resolve(Buffer.from(text))
const mustNot = () => Promise.reject(new Error('made although it was kept'))
const readBy = async (keep: ResponseCache, key: string, make: () => Promise<Buffer>) =>
  (await keep(key, make)).toString()

/** Other files write to the same server meanwhile, which ends whatever is kept: tries until nobody did. */
async function undisturbed(test: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await test()
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'made although it was kept') throw error
    }
  }
}

it('an answer is made once as long as nothing changes, whoever asks', async () => {
  const keep = createResponseCache(hereNow)
  await undisturbed(async () => {
    await keep('a', () => made('1'))
    await keep('b', () => made('2'))
    expect([await readBy(keep, 'a', mustNot), await readBy(keep, 'b', mustNot)]).toEqual(['1', '2'])
  })
})

it('those who ask at once wait for one', async () => {
  const keep = createResponseCache(hereNow)
  let count = 0
  const make = () => made(String(++count))
  const answers = await Promise.all(Array.from({ length: 50 }, () => readBy(keep, 'a', make)))
  expect(new Set(answers)).toEqual(new Set(['1']))
})

it.each([
  [
    'inserts a row',
    () =>
      elsewhere.sql`insert into roles (name, description, emoji, category) values ('Weaver', 'Weaves', '🧶', 'Design')`,
  ],
  ['changes one', () => elsewhere.sql`update settings set team_creation_enabled = not team_creation_enabled`],
  ['forgets one', () => elsewhere.sql`delete from roles where name = 'Weaver'`],
  ['changes a table', () => elsewhere.sql`alter table roles add column colour text`],
])('whoever comes after a transaction that %s is told of it, on every process', async (_what, write) => {
  const [keep, other] = [createResponseCache(hereNow), createResponseCache(() => databaseVersion(elsewhere.db))]
  for (const kept of [keep, other]) await kept('a', () => made('before'))
  await write()
  for (const kept of [keep, other]) expect(await readBy(kept, 'a', () => made('after'))).toBe('after')
})

it('what is not committed yet changes nothing, what is rolled back neither', async () => {
  const keep = createResponseCache(hereNow)
  await elsewhere.sql.begin(async (tx) => {
    await tx`update settings set team_creation_enabled = not team_creation_enabled`
    await undisturbed(async () => {
      await keep('a', () => made('before'))
      expect(await readBy(keep, 'a', mustNot)).toBe('before')
    })
  })
  expect(await readBy(keep, 'a', () => made('after'))).toBe('after')
})

it('an answer that a write overtook is told to those who waited, and not kept', async () => {
  const keep = createResponseCache(hereNow)
  let finish = (_answer: Buffer) => {}
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  const slow = keep('a', () => {
    begun()
    return new Promise((resolve) => (finish = resolve))
  })
  await isBegun
  await elsewhere.sql`update settings set team_creation_enabled = not team_creation_enabled`
  const next = await readBy(keep, 'a', () => made('after'))
  finish(Buffer.from('before'))
  expect([(await slow).toString(), next]).toEqual(['before', 'after'])
  await undisturbed(async () => {
    await keep('a', () => made('after'))
    expect(await readBy(keep, 'a', mustNot)).toBe('after')
  })
})

it('whoever comes while a question is on its way asks another: it may be older than what they know', async () => {
  const tell: ((version: string) => void)[] = []
  const keep = createResponseCache(() => new Promise((resolve) => tell.push(resolve)))
  const first = readBy(keep, 'a', () => made('before'))
  await vi.waitFor(() => expect(tell).toHaveLength(1))
  const second = readBy(keep, 'a', () => made('after'))
  await vi.waitFor(() => expect(tell).toHaveLength(2))
  tell[0]?.('1')
  expect(await first).toBe('before')
  tell[1]?.('2')
  expect(await second).toBe('after')
})

it('a deadline that passes is a change', async () => {
  const { id } = await insertChallenge(elsewhere.db)
  await elsewhere.sql`update challenges set deadline = clock_timestamp() + interval '300 milliseconds' where id = ${id}`
  const keep = createResponseCache(hereNow)
  await keep('a', () => made('open'))
  const isOver = async () =>
    (await elsewhere.sql`select from challenges where deadline <= clock_timestamp()`).length > 0
  while (!(await isOver()));
  expect(await readBy(keep, 'a', () => made('over'))).toBe('over')
})

it('what failed is made again', async () => {
  const keep = createResponseCache(hereNow)
  await expect(keep('a', () => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose')
  expect(await readBy(keep, 'a', () => made('1'))).toBe('1')
})

it('drops what nobody asked for the longest when there is no more room', async () => {
  const cache = createResponseCache(() => Promise.resolve('1'), 150)
  for (const key of ['a', 'b']) await cache(key, () => made('x'.repeat(60)))
  await cache('a', mustNot)
  await cache('c', () => made('x'.repeat(60)))
  expect(await readBy(cache, 'a', mustNot)).toHaveLength(60)
  expect(await readBy(cache, 'b', () => made('anew'))).toBe('anew')
})

it('keeps what is asked for often, however many other answers one client has made', async () => {
  const cache = createResponseCache(() => Promise.resolve('1'), 10_000)
  await cache('popular', () => made('x'.repeat(60)))
  for (let turn = 0; turn < 1000; turn++) {
    await cache(`only once ${turn}`, () => made('x'.repeat(60)))
    if (turn % 20 === 0) await cache('popular', mustNot)
  }
})

it('without the database nobody is answered from memory', async () => {
  const gone = connect(database.url)
  const keep = createResponseCache(() => databaseVersion(gone.db))
  await keep('a', () => made('1'))
  await gone.close()
  await expect(keep('a', mustNot)).rejects.toMatchObject({ definition: { status: 503 } })
})
