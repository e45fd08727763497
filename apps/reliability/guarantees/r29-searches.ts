import { setTimeout as sleep } from 'node:timers/promises'
import { searchKey } from '@community/contract'
import { Client, NoAnswer, tally, type Answer } from '../harness/client.ts'
import { quantile } from '../harness/resident.ts'
import { readiness } from '@community/testing/server'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Searches under way at once, from one address. */
const SEARCHERS = 24
/** Others' median, as a multiple of its calm value; in milliseconds, the least that counts and what readiness may take. */
const LIMITS = { slower: 3, floor: 30, readiness: 1000 }

const WORDS = searchKey(
  'atlas lions design tunnel equipe marrakech hackers cloud robot energie solaire ecole etudiants mobile ocean desert jardin riad zellige musique theatre cuisine couscous menthe football natation montagne neige soleil python react server finance startup recherche biologie physique vision langue traduction histoire culture tourisme transport voiture bateau industrie foret animal cheval oiseau hopital education livre photo مرحبا فريق تطوير مدرسة جامعة مشروع تصميم',
).split(' ')
/** The beginnings of words that everything, much, little and nothing has, in two scripts. */
const SEARCHES = ['ma', 'te', 'eq', 'so', 'zz', 'ét', 'مر', 'tr', 'at', 'de', 'فر', 're']

const word = 'words[1 + floor(random() * array_length(words, 1))::int]'
const line = (count: number) => Array.from({ length: count }, () => word).join(` || ' ' || `)

/** Teams of random words, as many as asked for. */
async function seedTeams({ sql }: Fixture, count: number): Promise<void> {
  await sql.unsafe(
    `insert into teams (name, name_key, description, is_active, member_count, search_text)
     select 'Team ' || n, 'team ' || n, 'Seeded', true, 1, ${line(3)} || ' ' || n || chr(10) || ${line(15)}
     from generate_series(1, ${count}) n, (select $1::text[] as words) as given`,
    [WORDS],
  )
  await sql`vacuum analyze teams`
}

/** What another address meets until it is told to end. */
async function useProfile(client: Client, token: string, isOver: () => boolean): Promise<Answer[]> {
  const answers: Answer[] = []
  for (; !isOver(); await sleep(10))
    answers.push(await client.call('GET /users/profile', { token, headers: { 'x-forwarded-for': '198.51.100.7' } }))
  return answers
}

async function watchReadiness(port: number, isOver: () => boolean): Promise<{ status: number; took: number }[]> {
  const seen: { status: number; took: number }[] = []
  for (; !isOver(); await sleep(100)) {
    const began = performance.now()
    seen.push({ status: await readiness(port), took: performance.now() - began })
  }
  return seen
}

/** Searches without end from one address, each for something that is not cached. */
async function search(client: Client, number: number, isOver: () => boolean): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let turn = number; !isOver(); turn++) {
    const text = encodeURIComponent(SEARCHES[turn % SEARCHES.length] ?? 'ma')
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const answer = await client
      .call(`GET /teams?search=${text}&page=${turn + 1}&limit=10`, { headers })
      .catch((error: unknown) => {
        if (error instanceof NoAnswer) return null
        throw error
      })
    if (answer) answers.push(answer)
    // Whoever is refused comes back at once, which is worse than what clients do.
    if (answer?.status !== 200) await sleep(20)
  }
  return answers
}

export const guarantee: Guarantee = {
  id: 'R29',
  statement: 'Two dozen searches at once over 200,000 teams leave other addresses and readiness what they need',
  async run(context) {
    const { violations } = context
    const seconds = byTier(context, { short: 5, full: 30, long: 60 })
    // Nobody is in the seeded teams.
    const fixture = await context.open({ breaksInvariants: true })
    const { server, client } = fixture
    const attacker = new Client(server.port, SEARCHERS)
    context.after(() => attacker.close())
    await seedTeams(fixture, 200_000)
    const { token } = await fixture.people.member()
    const during = async <T>(time: number, work: (isOver: () => boolean) => Promise<T>): Promise<T> => {
      const end = performance.now() + time * 1000
      return work(() => performance.now() > end)
    }
    await during(1, (isOver) => useProfile(client, token, isOver))
    const calm = await during(3, (isOver) => useProfile(client, token, isOver))
    const [others, health, ...searches] = await during(seconds, (isOver) =>
      Promise.all([
        useProfile(client, token, isOver),
        watchReadiness(server.port, isOver),
        ...Array.from({ length: SEARCHERS }, (_, number) => search(attacker, number, isOver)),
      ]),
    )
    const [before, meanwhile] = [calm, others].map((answers) =>
      quantile(
        answers.map(({ took }) => took),
        0.5,
      ),
    ) as [number, number]
    const found = tally(searches.flat())
    for (const [key, count] of Object.entries(tally(others)))
      if (key !== '200') violations.push(`${count} of the others’ calls were answered ${key}`)
    const most = Math.max(before * LIMITS.slower, timeLimit(context, LIMITS.floor))
    if (meanwhile > most) violations.push(`others took ${meanwhile.toFixed(1)} ms instead of ${before.toFixed(1)}`)
    const slowest = Math.max(...health.map(({ took }) => took))
    if (health.some(({ status }) => status !== 200)) violations.push('readiness was not 200 throughout')
    if (slowest > timeLimit(context, LIMITS.readiness)) violations.push(`readiness took ${Math.round(slowest)} ms`)
    for (const key of Object.keys(found))
      if (!/^(200|400 SEARCH_TOO_BROAD|503 SEARCH_BUSY|429 .*)$/.test(key))
        violations.push(`a search was answered ${key}`)
    if (!found['200']) violations.push('no search was answered')
    return {
      teams: 200_000,
      'searches at once': SEARCHERS,
      searches: JSON.stringify(found),
      'others, median': `${before.toFixed(1)} ms before, ${meanwhile.toFixed(1)} ms meanwhile`,
      'others’ calls': JSON.stringify(tally(others)),
      readiness: `${health.filter(({ status }) => status === 200).length} of ${health.length} were 200, slowest ${Math.round(slowest)} ms`,
    }
  },
}
