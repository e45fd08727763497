import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { median, quantile, times, uniqueName } from '@community/testing'
import { type ApiResponse, describeResponse, isSuccess, requestOf, fromNewAddress } from '@community/testing/api-client'
import { freePort } from '@community/testing/server'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { createChallenge, createTeam, joinRequest, type Team, teamForm } from '@community/testing/community'
import type { Fixture } from '../harness/fixture.ts'
import { COLLECTS_ON_SIGNAL, heapOf, type Metrics, metricsCollected, sumOf } from '../harness/metrics.ts'
import type { User } from '@community/testing/database/users'

const CALLERS = 16
/** The load, as a share of the server's capacity. */
const SHARE = 0.6
/** Seconds in which the capacity is measured. */
const MEASURED = 20
/** The soak is measured in parts. The first are warm-up; of the rest, the first three are compared with the last three. */
const PARTS = { all: 12, warm: 2, compared: 3 }
/** Memory samples; each pauses the server for a garbage collection. */
const SAMPLES = 24
const POOL = 4
/** The allowed growth of the 99th percentile: a factor, and milliseconds that are ignored. */
const P99 = { slower: 1.2, noise: 10 }

/** Tables whose rows the calls create and delete again; other tables keep rows for their retention time. */
const TABLES = 'users teams team_members team_roles_needed submissions submission_members challenges'.split(' ')

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

/** A user's calls in rounds that restore the state they found, until the signal is aborted. */
async function* callsOf(
  { client, sql }: Fixture,
  { user, host, challenge }: { user: User; host: Team; challenge: { id: string } },
  signal: AbortSignal,
): AsyncGenerator<ApiResponse> {
  const { email, token } = user
  const form = await teamForm(client)
  for (let round = 0; !signal.aborted; round++) {
    const read = async function* (count: number) {
      for (let index = 0; index < count; index++)
        yield await client.call(READS[(round + index) % READS.length] ?? '', { token })
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
    // More joins of one team than a person may have in an hour.
    await sql`delete from rate_limits where starts_with(key, ${`joins:${user.id}`})`
    yield await client.call(requestOf('teams.leave', { id: host.id }, user))
    yield await client.call(requestOf('teams.remove', { id }, user))
    if (round % 5 !== 0) continue
    const signedIn = await client.call(fromNewAddress(requestOf('auth.login', { email })))
    yield signedIn
    yield await client.call('POST /auth/logout', { token: signedIn.body?.data?.token })
  }
}

/** Creates the callers, each with another user's team to join. */
async function createCallers(fixture: Fixture, signal: AbortSignal): Promise<AsyncGenerator<ApiResponse>[]> {
  const { client, createAdmin, createMembers } = fixture
  const challenge = await createChallenge(client, await createAdmin())
  const [users, hosts] = [await createMembers(CALLERS), await createMembers(CALLERS)]
  const teams = await Promise.all(hosts.map((host) => createTeam(client, host)))
  return users.map((user, number) => callsOf(fixture, { user, host: teams[number] as Team, challenge }, signal))
}

/** Runs all callers at `rate` calls a second, or as fast as responses arrive. Returns each call's milliseconds since it was due, by part. */
async function use(
  expect: GuaranteeContext['expect'],
  callers: AsyncGenerator<ApiResponse>[],
  { seconds, parts = 1, rate }: { seconds: number; parts?: number; rate?: number },
): Promise<number[][]> {
  const took: number[][] = times(parts, () => [])
  const startedAt = performance.now()
  const call = async (caller: AsyncGenerator<ApiResponse>, number: number) => {
    for (let round = 0; ; round++) {
      const now = performance.now() - startedAt
      const due = rate === undefined ? now : ((round * callers.length + number) / rate) * 1000
      if (Math.max(due, now) >= seconds * 1000) return
      if (due > now) await sleep(due - now)
      const { value: response } = (await caller.next()) as { value: ApiResponse }
      took[Math.floor((due / 1000 / seconds) * parts)]?.push(performance.now() - startedAt - due)
      expect(isSuccess(response), describeResponse(response))
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
  metrics: Metrics
  /** Megabytes of the tables that must not grow. */
  tables: number
}

/** Samples the server at intervals for `seconds`. */
async function watch({ server, sql }: Fixture, port: number, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedAt = performance.now()
  for (let next = 1; next <= SAMPLES; next++) {
    await sleep(Math.max(0, startedAt + (next * seconds * 1000) / (SAMPLES + 1) - performance.now()))
    const metrics = await metricsCollected(server.pid(), port)
    const [size] = await sql`
      select sum(pg_total_relation_size(name::regclass))::float8 / 1048576 as megabytes from unnest(${TABLES}::text[]) name`
    samples.push({ metrics, tables: Number(size?.megabytes) })
  }
  return samples
}

type Steady = [what: string, valueOf: (sample: Sample) => number, mostAfter: (from: number, hours: number) => number]
/** The measurements that must not grow, with their limits at the end. */
const STEADY: Steady[] = [
  // Two thirds of the run lie between the middles of the first and the last third.
  ['heap after a collection, MB', ({ metrics }) => heapOf(metrics), (from, hours) => from + ((hours + 2) * 2) / 3],
  ['memory, MB', ({ metrics }) => sumOf(metrics, 'process_resident_memory_bytes') / 2 ** 20, (from) => from + 50],
  ['handles', ({ metrics }) => sumOf(metrics, 'nodejs_active_resources_total'), (from) => from + 10],
  ['open files', ({ metrics }) => sumOf(metrics, 'process_open_fds'), (from) => from + 10],
  // Autovacuum removes dead rows within a minute.
  ['tables, MB', ({ tables }) => tables, (from) => from * 1.5 + 1],
]

const change = (from: number, to: number) => `${from.toFixed(1)} → ${to.toFixed(1)}`

/** Compares the first third of the samples of a warm server with the last third. */
function judge({ expect, minutes }: GuaranteeContext, all: Sample[]): Record<string, string> {
  const samples = all.slice(Math.ceil((SAMPLES * PARTS.warm) / PARTS.all))
  const third = Math.ceil(samples.length / 3)
  const hours = (minutes / 60) * (1 - PARTS.warm / PARTS.all) * (2 / 3)
  const figures: Record<string, string> = {}
  for (const [what, valueOf, mostAfter] of STEADY) {
    const values = samples.map(valueOf)
    const [from, to] = [median(values.slice(0, third)), median(values.slice(-third))]
    figures[what] = change(from, to)
    expect(to <= mostAfter(from, hours), `${what}: ${figures[what]}`)
  }
  const pool = Math.max(...all.map(({ metrics }) => sumOf(metrics, 'database_connections')))
  expect(pool <= POOL, `${pool} connections to the database`)
  return figures
}

export const guarantee: Guarantee = {
  id: 'R18',
  statement: 'A server used for long at six tenths of its capacity keeps its memory, its speed and its open handles',
  from: 'long',
  async run(context) {
    const { expect, log, minutes, openFixture } = context
    const [metricsPort, seconds, stop] = [await freePort(), minutes * 60, new AbortController()]
    const fixture = await openFixture({ settings: { ...COLLECTS_ON_SIGNAL, METRICS_PORT: String(metricsPort) } })
    const callers = await createCallers(fixture, stop.signal)
    const before = await countRows(fixture)
    // These calls warm the server up; only those of the soak must succeed.
    await use(() => {}, callers, { seconds: MEASURED / 4 })
    const capacity = (await use(() => {}, callers, { seconds: MEASURED })).flat().length / MEASURED
    const rate = capacity * SHARE
    log(`${Math.round(capacity)} calls a second at most, ${Math.round(rate)} for ${minutes} minutes`)

    const [took, samples] = await Promise.all([
      use(expect, callers, { seconds, parts: PARTS.all, rate }),
      watch(fixture, metricsPort, seconds),
    ])
    // Calls that were due but never sent are not in `took`.
    const [calls, due] = [took.flat().length, Math.floor(rate * seconds)]
    expect(calls >= due * 0.99, `only ${calls} of ${due} calls could be made`)
    stop.abort()
    for (const caller of callers) while (!(await caller.next()).done);
    const after = await countRows(fixture)

    const steady = judge(context, samples)
    const slowest = took.map((part) => quantile(part, 0.99))
    const early = median(slowest.slice(PARTS.warm, PARTS.warm + PARTS.compared))
    const late = median(slowest.slice(-PARTS.compared))
    expect(late <= early * P99.slower + P99.noise, `99 % of the calls: ${change(early, late)} ms`)
    expect(isDeepStrictEqual(after, before), `rows: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`)
    const open = await fixture.sql`select pid from pg_stat_activity
      where application_name = 'community' and xact_start < now() - interval '5 seconds'`
    expect(open.length === 0, `${open.length} transactions were left open`)
    return { minutes, calls, 'a second': Math.round(rate), ...steady, '99 %, ms': change(early, late) }
  },
}
