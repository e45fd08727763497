import { setTimeout as sleep } from 'node:timers/promises'
import { searchKey } from '@community/contract'
import { median, repeat, times } from '@community/testing'
import { Client, countOutcomes } from '@community/testing/api-client'
import type postgres from 'postgres'
import { expectTally, type Guarantee, inMs } from '../guarantee.ts'

/** Concurrent searches, from one address. */
const SEARCHERS = 24
/** Statuses of a search; refused connections are not counted. */
const ALLOWED = /^(200|400 SEARCH_TOO_BROAD|503 SEARCH_BUSY|429 .*|0 NO_ANSWER)$/
/** Other addresses' median, as a multiple of its calm value; in milliseconds, its lowest limit and that of readiness. */
const LIMITS = { slower: 3, floor: 30, readiness: 1000 }

const WORDS = searchKey(
  'atlas lions design tunnel equipe marrakech hackers cloud robot energie solaire ecole etudiants mobile ocean desert jardin riad zellige musique theatre cuisine couscous menthe football natation montagne neige soleil python react server finance startup recherche biologie physique vision langue traduction histoire culture tourisme transport voiture bateau industrie foret animal cheval oiseau hopital education livre photo مرحبا فريق تطوير مدرسة جامعة مشروع تصميم',
).split(' ')
/** Search prefixes that match all, many, few and no teams, in two scripts. */
const SEARCHES = ['ma', 'te', 'eq', 'so', 'zz', 'ét', 'مر', 'tr', 'at', 'de', 'فر', 're']

/** Inserts teams of random words; their text is indexed afterwards, which is faster. */
async function insertTeams(sql: postgres.Sql, teams: number): Promise<void> {
  const indexes = await sql<{ indexname: string; indexdef: string }[]>`
    select indexname, indexdef from pg_indexes where tablename = 'teams' and indexdef like '%search_text%'`
  for (const { indexname } of indexes) await sql`drop index ${sql(indexname)}`
  const line = (count: number) =>
    times(count, () => 'words[1 + floor(random() * array_length(words, 1))::int]').join(` || ' ' || `)
  await sql.unsafe(
    `insert into teams (name, name_key, description, is_active, member_count, search_text)
     select 'Team ' || n, 'team ' || n, 'Seeded', true, 1, ${line(3)} || ' ' || n || chr(10) || ${line(15)}
     from generate_series(1, ${teams}) n, (select $1::text[] as words) as given`,
    [WORDS],
  )
  const build = ["set maintenance_work_mem = '512MB'", ...indexes.map(({ indexdef }) => indexdef)]
  await sql.unsafe(build.join(';'))
  await sql`vacuum analyze teams`
}

export const guarantee: Guarantee = {
  id: 'R29',
  statement:
    'Two dozen concurrent searches over 200,000 teams (50,000 in the short form) do not affect other addresses or readiness',
  async run({ byTier, expect, expectWithin, openFixture, timeLimit }) {
    const { teams, seconds } = byTier({
      short: { teams: 50_000, seconds: 5 },
      full: { teams: 200_000, seconds: 30 },
      long: { teams: 200_000, seconds: 60 },
    })
    // The inserted teams have no members.
    const { client, createMember, server, sql } = await openFixture({ breaksInvariants: true })
    const attacker = new Client(server.port, SEARCHERS)
    await insertTeams(sql, teams)
    const { token } = await createMember()
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const read = (signal: AbortSignal) =>
      repeat(signal, () => client.call('GET /users/profile', { token, headers }), 10)
    const search = (signal: AbortSignal, searcher: number) =>
      repeat(signal, async (round) => {
        const text = encodeURIComponent(SEARCHES[(searcher + round) % SEARCHES.length] ?? 'ma')
        // Each page is uncached.
        const line = `GET /teams?search=${text}&page=${searcher + round + 1}&limit=10`
        const response = await attacker.call(line, { headers: { 'x-forwarded-for': '203.0.113.9' } })
        // Retries without Retry-After, which is worse than real clients.
        if (response.status !== 200) await sleep(20)
        return response
      })
    const watcher = new Client(server.port, 1)
    const watchReadiness = (signal: AbortSignal) => repeat(signal, () => watcher.call('GET /health'), 100)
    await read(AbortSignal.timeout(1000))
    const calm = await read(AbortSignal.timeout(3000))
    const signal = AbortSignal.timeout(seconds * 1000)
    const [others, health, ...searches] = await Promise.all([
      read(signal),
      watchReadiness(signal),
      ...times(SEARCHERS, (searcher) => search(signal, searcher)),
    ])
    const [before, meanwhile] = [median(calm.map(({ took }) => took)), median(others.map(({ took }) => took))]
    const found = countOutcomes(searches.flat())
    expectTally(expect, 'others', others, { '200': others.length })
    const isFair = meanwhile <= Math.max(before * LIMITS.slower, timeLimit(LIMITS.floor))
    expect(isFair, `others took ${inMs(meanwhile, 1)} instead of ${inMs(before, 1)}`)
    expectTally(expect, 'readiness', health, { '200': health.length })
    expectWithin(LIMITS.readiness, Math.max(...health.map(({ took }) => took)), 'readiness')
    for (const outcome of Object.keys(found)) expect(ALLOWED.test(outcome), `a search was answered ${outcome}`)
    expect((found['200'] ?? 0) > 0, 'no search was answered')
    return { searches: JSON.stringify(found), others: `${inMs(before, 1)} before, ${inMs(meanwhile, 1)} meanwhile` }
  },
}
