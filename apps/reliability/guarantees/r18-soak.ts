import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { median, quantile, times, uniqueName } from '@community/testing'
import { type ApiResponse, type Client, describeResponse, isSuccess, requestOf } from '@community/testing/api-client'
import { freePort } from '@community/testing/server'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { createChallenge, createTeam, joinRequest, type Team, teamForm } from '../harness/community.ts'
import type { Fixture } from '../harness/fixture.ts'
import { COLLECTS_ON_SIGNAL, heapOf, type Metrics, metricsCollected, sumOf } from '../harness/metrics.ts'
import { fromNewAddress } from '../harness/sign-in.ts'
import type { User } from '../harness/users.ts'

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

/** What is created and deleted again; everything else the database keeps of use for its time. */
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

interface Seat {
  client: Client
  user: User
  /** A team of somebody else with a free seat for each. */
  host: Team
  challenge: { id: string }
  form: Awaited<ReturnType<typeof teamForm>>
}

/** Rounds of a user's calls, each of which leaves the community as it was, until the signal is aborted. */
async function* callsOf(
  { client, user, host, challenge, form }: Seat,
  signal: AbortSignal,
): AsyncGenerator<ApiResponse> {
  const { email, token } = user
  for (let round = 0; !signal.aborted; round++) {
    const read = async function* (count: number) {
      for (let turn = 0; turn < count; turn++)
        yield await client.call(READS[(round + turn) % READS.length] ?? '', { token })
    }
    yield* read(6)
    const created = await client.call(requestOf('teams.create', { ...form, name: uniqueName('Soaked') }, user))
    yield created
    const { id = '' } = created.body?.data?.team ?? {}
    yield* read(9)
    yield await client.call(requestOf('challenges.applyTo', { id: challenge.id, teamId: id }, user))
    yield* read(9)
    yield await client.call(joinRequest(host, user))
    yield* read(9)
    yield await client.call(requestOf('teams.leave', { id: host.id }, user))
    yield await client.call(requestOf('teams.remove', { id }, user))
    if (round % 5 !== 0) continue
    const signedIn = await client.call(fromNewAddress(requestOf('auth.login', { email })))
    yield signedIn
    yield await client.call('POST /auth/logout', { token: signedIn.body?.data?.token })
  }
}

async function takeSeats({ client, createAdmin, createMembers }: Fixture): Promise<Seat[]> {
  const challenge = await createChallenge(client, await createAdmin())
  const [users, hosts] = [await createMembers(CALLERS), await createMembers(CALLERS)]
  const form = await teamForm(client)
  return Promise.all(
    users.map(async (user, number) => ({
      client,
      user,
      host: await createTeam(client, hosts[number] ?? user),
      challenge,
      form,
    })),
  )
}

/** All of them call for so long, at so many calls a second or as fast as they are answered; milliseconds since each was due, by part. */
async function use(
  { expect }: Pick<GuaranteeContext, 'expect'>,
  callers: AsyncGenerator<ApiResponse>[],
  { seconds, parts = 1, rate }: { seconds: number; parts?: number; rate?: number },
): Promise<number[][]> {
  const took: number[][] = times(parts, () => [])
  const began = performance.now()
  const call = async (caller: AsyncGenerator<ApiResponse>, number: number) => {
    for (let turn = 0; ; turn++) {
      const now = performance.now() - began
      const due = rate === undefined ? now : ((turn * callers.length + number) / rate) * 1000
      if (Math.max(due, now) >= seconds * 1000) return
      if (due > now) await sleep(due - now)
      const { value: answer } = (await caller.next()) as { value: ApiResponse }
      took[Math.floor((due / 1000 / seconds) * parts)]?.push(performance.now() - began - due)
      expect(isSuccess(answer), describeResponse(answer))
    }
  }
  await Promise.all(callers.map(call))
  return took
}

async function countRows({ sql }: Fixture): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of TABLES) rows[table] = Number((await sql`select count(*) from ${sql(table)}`)[0]?.count)
  return rows
}

interface Sample {
  /** Since the soak began. */
  hours: number
  metrics: Metrics
  /** Of the tables that hold no more by use, and of the whole database. */
  megabytes: { tables: number; all: number }
}

/** Looks at the server now and again for so many seconds. */
async function watch({ server, sql }: Fixture, port: number, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  for (let next = 1; next <= SAMPLES; next++) {
    await sleep(Math.max(0, began + (next * seconds * 1000) / (SAMPLES + 1) - performance.now()))
    const metrics = await metricsCollected(server.pid(), port)
    const [megabytes = { tables: 0, all: 0 }] = await sql<Sample['megabytes'][]>`
      select sum(pg_total_relation_size(name::regclass))::float8 / 1048576 as tables,
        pg_database_size(current_database())::float8 / 1048576 as all from unnest(${TABLES}::text[]) name`
    samples.push({ hours: (performance.now() - began) / 3_600_000, metrics, megabytes })
  }
  return samples
}

const change = (from: number, to: number, unit = '') => `${from.toFixed(1)} → ${to.toFixed(1)}${unit}`

/** What has to stay as it is: its name and unit, and how much it may be at the end. */
const STEADY: [what: string, unit: string, valueOf: (sample: Sample) => number, most: (from: number) => number][] = [
  ['heap after a collection', ' MB', ({ metrics }) => heapOf(metrics), () => Infinity],
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
  ['the whole database', ' MB', ({ megabytes }) => megabytes.all, () => Infinity],
]

/** How much a value grows in an hour, by the line that fits its samples best. */
function slopeOf(samples: { hours: number; value: number }[]): number {
  const mean = (of: (sample: (typeof samples)[number]) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [hours, value] = [mean((one) => one.hours), mean((one) => one.value)]
  return mean((one) => (one.hours - hours) * (one.value - value)) / mean((one) => (one.hours - hours) ** 2)
}

/** What the samples of a soak of so many hours tell, once it was warm. */
function judge({ expect }: GuaranteeContext, all: Sample[], hours: number): Record<string, string> {
  const samples = all.filter((one) => one.hours >= hours * (PARTS.warm / PARTS.all))
  const figures: Record<string, string> = {}
  for (const [what, unit, valueOf, most] of STEADY) {
    const values = samples.map(valueOf)
    const few = Math.ceil(values.length / 3)
    const [from, to] = [median(values.slice(0, few)), median(values.slice(-few))]
    figures[what] = change(from, to, unit)
    expect(to <= most(from), `${what}: ${change(from, to, unit)}`)
  }
  const slope = slopeOf(samples.map((one) => ({ hours: one.hours, value: heapOf(one.metrics) })))
  const judged = hours * (1 - PARTS.warm / PARTS.all)
  figures['the heap grows by'] = `${slope.toFixed(1)} MB an hour`
  expect(slope * judged <= LIMITS.heap * judged + LIMITS.heapNoise, `the heap grows by ${slope.toFixed(1)} MB an hour`)
  const pool = Math.max(...all.map(({ metrics }) => sumOf(metrics, 'database_connections')))
  figures['connections to the database, at most'] = String(pool)
  expect(pool <= POOL, `${pool} connections to the database`)
  return figures
}

export const guarantee: Guarantee = {
  id: 'R18',
  statement:
    'A server that is used for long at six tenths of what it can do stays as small, as quick and as well as it was',
  from: 'long',
  async run(context) {
    const { expect, log, minutes, openFixture } = context
    const [metricsPort, seconds, stop] = [await freePort(), minutes * 60, new AbortController()]
    const fixture = await openFixture({ settings: { ...COLLECTS_ON_SIGNAL, METRICS_PORT: String(metricsPort) } })
    const callers = (await takeSeats(fixture)).map((seat) => callsOf(seat, stop.signal))
    const before = await countRows(fixture)
    // The first calls are those of a server that was just started; whether they succeed is asked of the soak.
    const anything = { expect: () => {} }
    await use(anything, callers, { seconds: MEASURED / 4 })
    const capacity = (await use(anything, callers, { seconds: MEASURED })).flat().length / MEASURED
    const rate = capacity * SHARE
    log(`${Math.round(capacity)} calls a second at most, ${Math.round(rate)} for ${minutes} minutes`)

    const [took, samples] = await Promise.all([
      use(context, callers, { seconds, parts: PARTS.all, rate }),
      watch(fixture, metricsPort, seconds),
    ])
    // What was due and not even begun in time is not among the calls that were slow.
    const [calls, due] = [took.flat().length, Math.floor(rate * seconds)]
    expect(calls >= due * 0.99, `only ${calls} of ${due} calls could be made`)
    stop.abort()
    for (const caller of callers) while (!(await caller.next()).done);
    const after = await countRows(fixture)

    const steady = judge(context, samples, minutes / 60)
    const slowest = took.map((part) => quantile(part, 0.99))
    const early = median(slowest.slice(PARTS.warm, PARTS.warm + PARTS.compared))
    const late = median(slowest.slice(-PARTS.compared))
    expect(late <= early * LIMITS.p99 + LIMITS.p99Noise, `99 % of the calls: ${change(early, late, ' ms')}`)
    expect(isDeepStrictEqual(after, before), `rows: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`)
    const open = await fixture.sql`select pid from pg_stat_activity
      where application_name = 'community' and xact_start < now() - interval '5 seconds'`
    expect(open.length === 0, `${open.length} transactions were left open`)
    return {
      minutes,
      'calls a second at most': Math.round(capacity),
      calls,
      'a second': Math.round(calls / seconds),
      ...steady,
      '99 % of the calls, from when they were due': change(early, late, ' ms'),
    }
  },
}
