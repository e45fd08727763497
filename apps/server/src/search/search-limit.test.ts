import { searchKey } from '@community/contract'
import { teams } from '@community/db/schema'
import { teamRow } from '@community/testing/database/rows'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFixture, errorCodeOf, type Fixture } from '../../test/fixture.ts'
import type { Context } from '../context.ts'
import { toFailure } from '../http/failure.ts'
import { matchesWordStarts, nameCondition, textCondition } from './search-condition.ts'
import { createSearchRunner } from './search-limit.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  for (let first = 0; first < 10_000; first += 1000)
    await fixture.db.insert(teams).values(
      Array.from({ length: 1000 }, (_, n) => {
        const name = `Team ${first + n}`
        const searchText = `${name.toLowerCase()}\nordinary words of number ${first + n}`
        return teamRow({ name, isActive: false, searchText })
      }),
    )
  const texts = ['L’Équipe d’Été\nune application', 'فَرِيقُ الأطلس\nمدينة الرباط', 'C# 🚀 zed\nnothing']
  for (const [at, text] of texts.entries())
    await fixture.db.insert(teams).values(teamRow({ name: `T${at}`, isActive: false, searchText: searchKey(text) }))
  await fixture.sql`analyze teams`
}, 60_000)
afterAll(() => fixture.close())

const findNames = async (where: SQL | undefined) => {
  const rows = await fixture.db.select({ name: teams.name }).from(teams).where(where).limit(5)
  return rows.map(({ name }) => name)
}
const inText = (text: string) => textCondition(teams.searchText, searchKey(text))
const inName = (text: string) => nameCondition(teams.searchText, searchKey(text))

describe('a search of one or two letters', () => {
  it('matches word prefixes in any script, ignoring accents', async () => {
    for (const text of ['éq', 'EQ', 'et', 'É', 'un'])
      expect([text, await findNames(inText(text))]).toEqual([text, ['T0']])
    for (const text of ['فر', 'أط', 'ال', 'م']) {
      const names = await findNames(inText(text))
      expect([text, names]).toEqual([text, text === 'أط' ? [] : ['T1']])
    }
    for (const text of ['🚀', 'ze', 'c#']) expect([text, await findNames(inText(text))]).toEqual([text, ['T2']])
    for (const text of ['qu', 'te é', 'ed']) expect([text, await findNames(inText(text))]).toEqual([text, []])
  })
  it('in names does not match descriptions', async () => {
    expect(await findNames(inName('éq'))).toEqual(['T0'])
    expect(await findNames(inName('ap'))).toEqual([])
    expect(await findNames(inText('ap'))).toEqual(['T0'])
  })
  it('uses an index', async () => {
    for (const where of [inText('ap'), inName('éq'), inText('مد'), inText('z')]) {
      const plan = await fixture.db.execute(sql`explain select count(*) from ${teams} where ${where}`)
      expect(JSON.stringify(plan)).toContain('Bitmap Index Scan on teams_word_starts')
    }
  })
  it('splits words like the database', async () => {
    const characters = await fixture.sql<{ character: string; isSeparator: boolean }[]>`
      select chr(n) as character, word_starts('a' || chr(n) || 'b') @> array['^b'] as "isSeparator"
      from generate_series(1, 12543) n where n <> 10`
    const differing = characters.filter(({ character, isSeparator }) => isSeparator === matchesWordStarts(character))
    expect(differing).toEqual([])
  })
})

describe('search limits', () => {
  const at = (address: string): Pick<Context, 'db' | 'user' | 'request'> => ({
    db: fixture.db,
    user: null,
    request: {
      id: '',
      ip: address,
      userAgent: '',
      language: 'en',
      cookie: () => undefined,
      setCookie: () => {},
      clearCookie: () => {},
    },
  })
  const createGate = () => {
    let resolve: (value: string) => void = () => {}
    const promise = new Promise<string>((open) => (resolve = open))
    return { promise, resolve }
  }

  it('reject a slow search and ask for a longer text', async () => {
    const searching = createSearchRunner({ statementTimeoutMs: 50 })
    const slow = searching(at('192.0.2.1'), 'e', (db) => db.execute(sql`select pg_sleep(2)`))
    const rejection = await slow.catch((error: unknown) => toFailure(error))
    expect(rejection).toMatchObject({
      status: 400,
      body: { code: 'SEARCH_TOO_BROAD', errors: [{ path: 'search', msg: expect.stringContaining('more letters') }] },
    })
    // The connection's default timeout applies again.
    await fixture.db.execute(sql`select pg_sleep(0.1)`)
  })
  it('limit concurrent searches per IP address and reject long waits', async () => {
    const searching = createSearchRunner({ max: 2, perClient: 1, maxWaitMs: 100 })
    const gate = createGate()
    const greedy = Array.from({ length: 24 }, () => searching(at('192.0.2.1'), 'e', () => gate.promise))
    const rejected = greedy.slice(1).map(errorCodeOf)
    expect(await searching(at('192.0.2.2'), 'e', async () => 'other')).toBe('other')
    expect(new Set(await Promise.all(rejected))).toEqual(new Set(['SEARCH_BUSY']))
    gate.resolve('first')
    expect(await greedy[0]).toBe('first')
    expect(await searching(at('192.0.2.1'), 'e', async () => 'again')).toBe('again')
  })
  it('read word starts of many rows from their index', async () => {
    const explain = (key: string) => sql`explain select 1 from ${teams} where ${inName(key)} limit 1001`
    const planOf = async (key: string) =>
      JSON.stringify(await createSearchRunner()(at('192.0.2.1'), key, (db) => db.execute(explain(key))))
    expect(await planOf('te')).toContain('Bitmap Index Scan on teams_word_starts')
    expect(await planOf('team')).toContain('Seq Scan')
  })
  it('respond with a cooldown when no search can start in time', async () => {
    const searching = createSearchRunner({ max: 1, maxWaitMs: 20 })
    const gate = createGate()
    const first = searching(at('192.0.2.1'), 'e', () => gate.promise)
    const second = await searching(at('192.0.2.2'), 'e', () => gate.promise).catch((error: unknown) => toFailure(error))
    expect(second).toMatchObject({ status: 503, body: { code: 'SEARCH_BUSY', cooldown: expect.any(Number) } })
    // An empty search is not limited.
    expect(await searching(at('192.0.2.2'), ' ', async (_db, wanted) => wanted)).toBe('')
    gate.resolve('first')
    await first
  })
})
