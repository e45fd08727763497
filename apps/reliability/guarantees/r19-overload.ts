import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client, NoAnswer, tally } from '../harness/client.ts'
import { teamForm, uniqueName } from '../harness/community.ts'
import { ADMIN } from '@community/testing/server'
import type { Person } from '../harness/people.ts'
import { quantile, resident } from '../harness/resident.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Milliseconds, below the ten seconds of clients; megabytes. */
const LIMITS = { health: 500, login: 8000, answer: 8000, back: 5000, memory: 600 }
/** Of what the server does unhurried; beside other work the two halves of the comparison get unlike shares of the machine. */
const GOODPUT = { short: 0.4, full: 0.8, long: 0.8 }
const UNHURRIED = 8

interface Counted {
  perSecond: number
  answers: Map<string, number>
  slowest: number
}

/** So many callers, each with one request at a time, of which every tenth writes. */
async function use(client: Client, people: Person[], callers: number, seconds: number, form: object): Promise<Counted> {
  const answers = new Map<string, number>()
  const end = performance.now() + seconds * 1000
  let [good, slowest] = [0, 0]
  const note = (key: string) => answers.set(key, (answers.get(key) ?? 0) + 1)
  const isRefusal = ({ status, headers }: Answer) =>
    (status === 503 || status === 429) && Number(headers['retry-after']) > 0
  const call = async (number: number) => {
    const token = people[number % people.length]?.token
    for (let turn = number; performance.now() < end; turn++) {
      try {
        const answer =
          turn % 10 === 0
            ? await client.call('POST /teams', { token, body: { ...form, name: uniqueName('Overload') } })
            : await client.call('GET /users/profile', { token })
        slowest = Math.max(slowest, answer.took)
        note(answer.status < 300 ? 'good' : isRefusal(answer) ? 'refused for now' : `${answer.status}`)
        if (answer.status < 300 && performance.now() < end) good++
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        note(error.message)
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, number) => call(number)))
  return { perSecond: good / seconds, answers, slowest }
}

/** Everybody signs in at once, from everywhere. */
async function signInAtOnce(
  fixture: Fixture,
  client: Client,
  people: Person[],
  within: number,
  violations: string[],
): Promise<string> {
  const answers = await Promise.all(
    people.map(({ email }, number) =>
      client
        .call('POST /auth/login', {
          body: { email, password: ADMIN.password },
          headers: { 'x-forwarded-for': `198.51.${Math.floor(number / 250)}.${(number % 250) + 1}` },
        })
        .catch((error: unknown) => {
          violations.push(`a sign-in: ${String(error)}`)
          return null
        }),
    ),
  )
  const came = answers.filter((answer) => answer !== null)
  const found = tally(came)
  for (const key of Object.keys(found))
    if (!/^(200|503 UNAVAILABLE|429 .*)$/.test(key)) violations.push(`${found[key]} sign-ins were answered ${key}`)
  if (!found['200']) violations.push('nobody could sign in')
  const slowest = Math.max(...came.map(({ took }) => took))
  if (slowest > within) violations.push(`a sign-in took ${Math.round(slowest)} ms`)
  return `${JSON.stringify(found)}, slowest ${Math.round(slowest)} ms`
}

/** Asks the liveness call every fifth of a second until it is ended; resolves with how long each took. */
function watchHealth(port: number): { end(): Promise<number[]> } {
  const took: number[] = []
  const client = new Client(port, 1)
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await sleep(200))
      took.push((await client.call('GET /health/live').catch(() => ({ took: Number.POSITIVE_INFINITY }))).took)
    client.close()
  })()
  return {
    async end() {
      isOver = true
      await watching
      return took
    },
  }
}

export const guarantee: Guarantee = {
  id: 'R19',
  statement:
    'A server that is asked for far more than it can do goes on doing nearly as much, and refuses the rest at once',
  async run(context) {
    const { violations } = context
    const [callers, seconds, logins] = byTier(context, {
      short: [300, 3, 300],
      full: [1500, 120, 2000],
      long: [1500, 120, 2000],
    } as const)
    const fixture = await context.open()
    const { server } = fixture
    const people = await fixture.people.members(200)
    const crowd = new Client(server.port, callers)
    const form = await teamForm(crowd)
    await use(crowd, people, UNHURRIED, 1, form)
    const before = await use(crowd, people, UNHURRIED, seconds, form)
    await crowd.warm(callers)
    const health = watchHealth(server.port)
    const overload = await use(crowd, people, callers, seconds, form)
    const slowestHealth = quantile(await health.end(), 0.95)
    const memory = await resident(server.pid())
    const began = performance.now()
    while ((await crowd.call('GET /users/profile', { token: people[0]?.token })).took > 500) await sleep(50)
    const back = performance.now() - began
    const after = await use(crowd, people, UNHURRIED, seconds, form)
    // Others use the machine too: what it could do both before and afterwards.
    const usual = Math.min(before.perSecond, after.perSecond)
    const signIns = await signInAtOnce(
      fixture,
      new Client(server.port, logins),
      await fixture.people.members(logins),
      timeLimit(context, LIMITS.login),
      violations,
    )
    crowd.close()

    const share = overload.perSecond / usual
    if (share < byTier(context, GOODPUT)) violations.push(`only ${share.toFixed(2)} of what the server does unhurried`)
    for (const [what, count] of overload.answers)
      if (what !== 'good' && what !== 'refused for now') violations.push(`${count} times ${what}`)
    if (overload.slowest > timeLimit(context, LIMITS.answer))
      violations.push(`an answer took ${Math.round(overload.slowest)} ms`)
    if (slowestHealth > timeLimit(context, LIMITS.health))
      violations.push(`the liveness call took ${Math.round(slowestHealth)} ms`)
    if (memory > LIMITS.memory) violations.push(`the server holds ${memory} MB`)
    if (back > timeLimit(context, LIMITS.back)) violations.push(`well again only after ${Math.round(back)} ms`)
    if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    return {
      'a second, unhurried': Math.round(usual),
      [`a second, of ${callers} callers`]: `${Math.round(overload.perSecond)}, ${share.toFixed(2)} of it; ${JSON.stringify(Object.fromEntries(overload.answers))}`,
      'slowest answer': `${Math.round(overload.slowest)} ms`,
      'liveness meanwhile, 95 %': `${Math.round(slowestHealth)} ms`,
      memory: `${memory} MB`,
      'well again after': `${Math.round(back)} ms`,
      [`${logins} sign-ins at once`]: signIns,
    }
  },
}
