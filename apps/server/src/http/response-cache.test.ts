import { until } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { clockOf } from '@community/testing/database/clock'
import { insertChallenge } from '@community/testing/database/rows'
import { afterAll, expect, it, vi } from 'vitest'
import { type ResponseCache, createResponseCache, databaseVersion } from './response-cache.ts'

const database = await createTestDatabase()
const reader = database.connect()
const writer = database.connect()
afterAll(async () => {
  await reader.close()
  await writer.close()
  await database.drop()
})

const currentVersion = () => databaseVersion(reader.db)
const responseOf = (text: string) => Promise.resolve(Buffer.from(text))
const mustNotRun = () => Promise.reject(new Error('created although it was cached'))
const read = async (cache: ResponseCache, key: string, create: () => Promise<Buffer>) =>
  (await cache(key, create)).toString()

/** Other test files write to the same server, which clears the cache: repeats the test until it ran undisturbed. */
async function retryWhenCleared(test: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await test()
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'created although it was cached') throw error
    }
  }
}

it('creates a response once while nothing changes', async () => {
  const cache = createResponseCache(currentVersion)
  await retryWhenCleared(async () => {
    await cache('a', () => responseOf('1'))
    await cache('b', () => responseOf('2'))
    expect([await read(cache, 'a', mustNotRun), await read(cache, 'b', mustNotRun)]).toEqual(['1', '2'])
  })
})

it('shares one response among concurrent requests', async () => {
  const cache = createResponseCache(currentVersion)
  let count = 0
  const make = () => responseOf(String(++count))
  const results = await Promise.all(Array.from({ length: 50 }, () => read(cache, 'a', make)))
  expect(new Set(results)).toEqual(new Set(['1']))
})

it.each([
  [
    'inserts a row',
    () =>
      writer.sql`insert into roles (name, description, emoji, category) values ('Weaver', 'Weaves', '🧶', 'Design')`,
  ],
  ['changes one', () => writer.sql`update settings set team_creation_enabled = not team_creation_enabled`],
  ['deletes one', () => writer.sql`delete from roles where name = 'Weaver'`],
  ['changes a table', () => writer.sql`alter table roles add column colour text`],
])('creates the response again after a transaction that %s, in every process', async (_what, write) => {
  const [cache, other] = [createResponseCache(currentVersion), createResponseCache(() => databaseVersion(writer.db))]
  for (const each of [cache, other]) await each('a', () => responseOf('before'))
  await write()
  for (const each of [cache, other]) expect(await read(each, 'a', () => responseOf('after'))).toBe('after')
})

it('keeps the response until a transaction commits', async () => {
  const cache = createResponseCache(currentVersion)
  await writer.sql.begin(async (tx) => {
    await tx`update settings set team_creation_enabled = not team_creation_enabled`
    await retryWhenCleared(async () => {
      await cache('a', () => responseOf('before'))
      expect(await read(cache, 'a', mustNotRun)).toBe('before')
    })
  })
  expect(await read(cache, 'a', () => responseOf('after'))).toBe('after')
})

it('does not cache a response that a write outdated while it was made', async () => {
  const cache = createResponseCache(currentVersion)
  let finish = (_answer: Buffer) => {}
  let reportStart = () => {}
  const started = new Promise<void>((resolve) => (reportStart = resolve))
  const slow = cache('a', () => {
    reportStart()
    return new Promise((resolve) => (finish = resolve))
  })
  await started
  await writer.sql`update settings set team_creation_enabled = not team_creation_enabled`
  const next = await read(cache, 'a', () => responseOf('after'))
  finish(Buffer.from('before'))
  expect([(await slow).toString(), next]).toEqual(['before', 'after'])
  await retryWhenCleared(async () => {
    await cache('a', () => responseOf('after'))
    expect(await read(cache, 'a', mustNotRun)).toBe('after')
  })
})

it('does not reuse an in-flight version query, which may predate the client’s own write', async () => {
  const resolveQueries: ((version: string) => void)[] = []
  const cache = createResponseCache(() => new Promise((resolve) => resolveQueries.push(resolve)))
  const first = read(cache, 'a', () => responseOf('before'))
  await vi.waitFor(() => expect(resolveQueries).toHaveLength(1))
  const second = read(cache, 'a', () => responseOf('after'))
  await vi.waitFor(() => expect(resolveQueries).toHaveLength(2))
  resolveQueries[0]?.('1')
  expect(await first).toBe('before')
  resolveQueries[1]?.('2')
  expect(await second).toBe('after')
})

it('creates the response again when a deadline passes', async () => {
  const { id } = await insertChallenge(writer.db)
  await clockOf(writer.sql).setDeadline(id, 0.3)
  const cache = createResponseCache(currentVersion)
  await cache('a', () => responseOf('open'))
  const hasPassed = async () =>
    (await writer.sql`select from challenges where deadline <= clock_timestamp()`).length > 0
  await until('the deadline has passed', hasPassed)
  expect(await read(cache, 'a', () => responseOf('over'))).toBe('over')
})

it('does not cache a failure', async () => {
  const cache = createResponseCache(currentVersion)
  await expect(cache('a', () => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose')
  expect(await read(cache, 'a', () => responseOf('1'))).toBe('1')
})

it('evicts the least recently used response', async () => {
  const cache = createResponseCache(() => Promise.resolve('1'), 150)
  for (const key of ['a', 'b']) await cache(key, () => responseOf('x'.repeat(60)))
  await cache('a', mustNotRun)
  await cache('c', () => responseOf('x'.repeat(60)))
  expect(await read(cache, 'a', mustNotRun)).toHaveLength(60)
  expect(await read(cache, 'b', () => responseOf('anew'))).toBe('anew')
})

it('keeps a frequently used response among many unique ones', async () => {
  const cache = createResponseCache(() => Promise.resolve('1'), 10_000)
  await cache('popular', () => responseOf('x'.repeat(60)))
  for (let round = 0; round < 1000; round++) {
    await cache(`only once ${round}`, () => responseOf('x'.repeat(60)))
    if (round % 20 === 0) await cache('popular', mustNotRun)
  }
})

it('throws 503 instead of serving from the cache when the database is unavailable', async () => {
  const closed = database.connect()
  const cache = createResponseCache(() => databaseVersion(closed.db))
  await cache('a', () => responseOf('1'))
  await closed.close()
  await expect(cache('a', mustNotRun)).rejects.toMatchObject({ definition: { status: 503 } })
})
