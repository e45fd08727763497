import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, NoAnswer } from '../harness/client.ts'
import { teamForm, joinRequest, makeChallenge, makeTeam, type Team, uniqueName } from '../harness/community.ts'
import { COLLECTS_ON_SIGNAL, heapOf, type Metrics, metricsCollected, sumOf } from '../harness/metrics.ts'
import type { Person } from '../harness/people.ts'
import { quantile } from '../harness/resident.ts'
import { ADMIN, freePort } from '@community/testing/server'
import { atNewAddress } from '../harness/sign-in.ts'
import type { Fixture } from '../harness/fixture.ts'
import type { Guarantee } from '../guarantee.ts'

const CALLERS = 16
/** Of what the server can do. */
const SHARE = 0.6
/** Seconds in which that is found out. */
const MEASURED = 20
/** The soak's parts: in the first ones a server warms up, and of the others the first three are compared with the last three. */
const PARTS = { all: 12, warm: 2, compared: 3 }
/** Each stops the server for a collection. */
const SAMPLES = 24

/**
 * What may change from the first parts to the last: megabytes of heap an hour, and what two collections differ by anyhow; of memory;
 * handles and files; the time of 99 % of the calls, and milliseconds that it differs by anyhow; what tables take that hold no more rows.
 */
const LIMITS = { heap: 1, heapNoise: 2, memory: 50, handles: 10, p99: 1.2, p99Noise: 10, tables: 1.5 }
const POOL = 4

/** What is made and taken away again; everything else the database keeps of use for its time. */
const TABLES = [
  'users',
  'teams',
  'team_members',
  'team_roles_needed',
  'submissions',
  'submission_members',
  'challenges',
]

const READS = [
  'GET /teams?limit=20',
  'GET /teams/leaderboard',
  'GET /challenges',
  'GET /submissions/approved',
  'GET /users/profile',
  'GET /users/dashboard',
  'GET /challenges/my-team-applications',
  'GET /teams/standings',
  'GET /trpc/roles.list,system.settings?batch=1&input=%7B%7D',
]

interface Place {
  client: Client
  person: Person
  /** A team of somebody else with a free seat for each. */
  host: Team
  challenge: { id: string }
  form: Awaited<ReturnType<typeof teamForm>>
}

/** A round of a person's calls, which leaves the community as it was. */
async function* roundOf({ client, person, host, challenge, form }: Place, round: number): AsyncGenerator<Answer> {
  const { email, token } = person
  async function* reads(count: number) {
    for (let turn = 0; turn < count; turn++)
      yield await client.call(READS[(round + turn) % READS.length] ?? '', { token })
  }
  yield* reads(6)
  const made = await client.call('POST /teams', { token, body: { ...form, name: uniqueName('Soaked') } })
  yield made
  const teamId = made.body?.data?.team?.id
  yield* reads(9)
  const work = { teamId, type: 'link', content: 'https://example.ma/work' }
  yield await client.call(`POST /challenges/${challenge.id}/apply`, { token, body: work })
  yield* reads(9)
  const join = joinRequest(host.id, host)
  yield await client.call(join.line, { token, body: join.body })
  yield* reads(9)
  yield await client.call(`POST /teams/${host.id}/leave`, { token })
  yield await client.call(`DELETE /teams/${teamId}`, { token })
  if (round % 5 !== 0) return
  const body = { email, password: ADMIN.password }
  const entered = await client.call('POST /auth/login', { body, headers: atNewAddress() })
  yield entered
  yield await client.call('POST /auth/logout', { token: entered.body?.data?.token })
}

interface Caller {
  /** Makes the next call. */
  next(): Promise<Answer>
  /** Brings the round to its end. */
  finish(): Promise<void>
}

function callerAt(place: Place): Caller {
  let round = 0
  let calls = roundOf(place, round)
  return {
    async next() {
      for (;;) {
        const { value, done } = await calls.next()
        if (!done) return value
        calls = roundOf(place, ++round)
      }
    },
    async finish() {
      while (!(await calls.next()).done);
    },
  }
}

/** Everybody has a team to join. */
async function takePlaces(fixture: Fixture, client: Client): Promise<Place[]> {
  const challenge = await makeChallenge(client, await fixture.people.admin())
  const [people, hosts] = [await fixture.people.members(CALLERS), await fixture.people.members(CALLERS)]
  const form = await teamForm(client)
  const places: Place[] = []
  for (const [number, person] of people.entries())
    places.push({ client, person, host: await makeTeam(client, hosts[number] as Person), challenge, form })
  return places
}

interface Use {
  /** Milliseconds that calls took from when they were due, by part. */
  took: number[][]
  calls: number
  violations: string[]
}

/** All of them use the product for so long; at so many calls a second, or as fast as it answers. */
async function use(callers: Caller[], seconds: number, parts: number, rate?: number): Promise<Use> {
  const found: Use = { took: Array.from({ length: parts }, () => []), calls: 0, violations: [] }
  const began = performance.now()
  const call = async (caller: Caller, number: number) => {
    for (let turn = 0; ; turn++) {
      const now = performance.now() - began
      const due = rate === undefined ? now : ((turn * callers.length + number) / rate) * 1000
      if (Math.max(due, now) >= seconds * 1000) return
      if (due > now) await sleep(due - now)
      try {
        const { status, body } = await caller.next()
        found.calls++
        found.took[Math.floor((due / 1000 / seconds) * parts)]?.push(performance.now() - began - due)
        if (status >= 300) found.violations.push(`${status} ${JSON.stringify(body)}`)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        found.violations.push(error.message)
      }
    }
  }
  await Promise.all(callers.map(call))
  return found
}

async function rowsOf({ sql }: Fixture): Promise<Map<string, number>> {
  const rows = new Map<string, number>()
  for (const table of TABLES)
    rows.set(table, (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]?.n ?? 0)
  return rows
}

/** Megabytes of the tables that hold no more by use, and of the whole database. */
async function megabytesOf({ sql }: Fixture): Promise<{ tables: number; all: number }> {
  const [size] = await sql<{ tables: number; all: number }[]>`
    select sum(pg_total_relation_size(name::regclass))::float8 / 1048576 as tables,
      pg_database_size(current_database())::float8 / 1048576 as all from unnest(${TABLES}::text[]) name`
  return { tables: size?.tables ?? 0, all: size?.all ?? 0 }
}

const median = (values: number[]) => quantile(values, 0.5)
/** How much a value grows in an hour, by the line that fits its samples best. */
function slopeOf(samples: { hours: number; value: number }[]): number {
  const mean = (of: (sample: (typeof samples)[number]) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [hours, value] = [mean((one) => one.hours), mean((one) => one.value)]
  return mean((one) => (one.hours - hours) * (one.value - value)) / mean((one) => (one.hours - hours) ** 2)
}

interface Sample {
  /** Since the soak began. */
  hours: number
  metrics: Metrics
  megabytes: Awaited<ReturnType<typeof megabytesOf>>
}

/** Looks at the server now and again while something goes on. */
async function watch(fixture: Fixture, port: number, seconds: number, going: Promise<unknown>): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  let isOver = false
  const ended = going.finally(() => (isOver = true))
  for (let next = 1; !isOver && next <= SAMPLES; next++) {
    await sleep(Math.max(0, began + (next * seconds * 1000) / (SAMPLES + 1) - performance.now()))
    const metrics = await metricsCollected(fixture.servers[0]?.pid() ?? 0, port)
    samples.push({ hours: (performance.now() - began) / 3_600_000, metrics, megabytes: await megabytesOf(fixture) })
  }
  await ended
  return samples
}

/** What has to stay as it is: its name and unit, and how much it may be at the end. */
const STEADY: [what: string, unit: string, valueOf: (sample: Sample) => number, most: (from: number) => number][] = [
  ['heap after a collection', ' MB', ({ metrics }) => heapOf(metrics), () => Number.POSITIVE_INFINITY],
  [
    'memory',
    ' MB',
    ({ metrics }) => sumOf(metrics, 'process_resident_memory_bytes') / 2 ** 20,
    (from) => from + LIMITS.memory,
  ],
  ['handles', '', ({ metrics }) => sumOf(metrics, 'nodejs_active_resources_total'), (from) => from + LIMITS.handles],
  ['open files', '', ({ metrics }) => sumOf(metrics, 'process_open_fds'), (from) => from + LIMITS.handles],
  // Dead rows wait up to a minute for their clean-up.
  ['tables of what there is', ' MB', ({ megabytes }) => megabytes.tables, (from) => from * LIMITS.tables + 1],
  ['the whole database', ' MB', ({ megabytes }) => megabytes.all, () => Number.POSITIVE_INFINITY],
]

const told = (from: number, to: number, unit = '') => `${from.toFixed(1)} → ${to.toFixed(1)}${unit}`

/** What the samples tell of a soak of so many hours, once it was warm. */
function judge(all: Sample[], hours: number, violations: string[]): Record<string, string> {
  const samples = all.filter((one) => one.hours >= hours * (PARTS.warm / PARTS.all))
  const figures: Record<string, string> = {}
  for (const [what, unit, valueOf, most] of STEADY) {
    const values = samples.map(valueOf)
    const few = Math.ceil(values.length / 3)
    const [from, to] = [median(values.slice(0, few)), median(values.slice(-few))]
    figures[what] = told(from, to, unit)
    if (to > most(from)) violations.push(`${what}: ${told(from, to, unit)}`)
  }
  const slope = slopeOf(samples.map((one) => ({ hours: one.hours, value: heapOf(one.metrics) })))
  const judged = hours * (1 - PARTS.warm / PARTS.all)
  figures['the heap grows by'] = `${slope.toFixed(1)} MB an hour`
  if (slope * judged > LIMITS.heap * judged + LIMITS.heapNoise)
    violations.push(`the heap grows by ${slope.toFixed(1)} MB an hour`)
  const pool = Math.max(...all.map(({ metrics }) => sumOf(metrics, 'database_connections')))
  figures['connections to the database, at most'] = String(pool)
  if (pool > POOL) violations.push(`${pool} connections to the database`)
  return figures
}

export const guarantee: Guarantee = {
  id: 'R18',
  statement:
    'A server that is used for long at six tenths of what it can do stays as small, as quick and as well as it was',
  from: 'long',
  async run(context) {
    const { minutes, log, violations } = context
    const metricsPort = await freePort()
    const fixture = await context.open({ settings: { ...COLLECTS_ON_SIGNAL, METRICS_PORT: String(metricsPort) } })
    const { client } = fixture
    const callers = (await takePlaces(fixture, client)).map(callerAt)
    const before = await rowsOf(fixture)
    // The first calls are those of a server that was just started.
    await use(callers, MEASURED / 4, 1)
    const capacity = (await use(callers, MEASURED, 1)).calls / MEASURED
    const rate = capacity * SHARE
    log(`${Math.round(capacity)} calls a second at most, ${Math.round(rate)} for ${minutes} minutes`)

    const using = use(callers, minutes * 60, PARTS.all, rate)
    const samples = await watch(fixture, metricsPort, minutes * 60, using)
    const { took, calls, violations: failures } = await using
    violations.push(...failures)
    // What was due and not even begun in time is not among the calls that were slow.
    const due = Math.floor(rate * minutes * 60)
    if (calls < due * 0.99) violations.push(`only ${calls} of ${due} calls could be made`)
    await Promise.all(callers.map((caller) => caller.finish()))
    const after = await rowsOf(fixture)

    const steady = judge(samples, minutes / 60, violations)
    const slowest = took.map((times) => quantile(times, 0.99))
    const early = median(slowest.slice(PARTS.warm, PARTS.warm + PARTS.compared))
    const late = median(slowest.slice(-PARTS.compared))
    if (late > early * LIMITS.p99 + LIMITS.p99Noise) violations.push(`99 % of the calls: ${told(early, late, ' ms')}`)
    for (const table of TABLES)
      if (after.get(table) !== before.get(table))
        violations.push(`${table}: ${before.get(table)} rows before, ${after.get(table)} afterwards`)
    const open = await fixture.sql`select pid from pg_stat_activity
      where application_name = 'community' and xact_start < now() - interval '5 seconds'`
    if (open.length > 0) violations.push(`${open.length} transactions were left open`)
    return {
      minutes,
      'calls a second at most': Math.round(capacity),
      calls,
      'a second': Math.round(calls / minutes / 60),
      'not a success': failures.length,
      ...steady,
      '99 % of the calls, from when they were due': told(early, late, ' ms'),
    }
  },
}
