// `pnpm bench:streams [--streams 2000] [--events 60] [--people 100000]`: measures open streams on one process and on three: the time from a
// change to its receipt, memory, reconnecting all at once after a restart, and the fan-out of one announcement.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import { PASSWORD, quantile, until } from '@community/testing'
import { Client, dataOf, requestOf } from '@community/testing/api-client'
import { createTeam } from '@community/testing/community'
import { insertSessions } from '@community/testing/database/users'
import postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { withBench } from './bench.ts'
import { load, prepare } from './driver.ts'
import { type Program, startProduct } from './programs.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '2000' },
    events: { type: 'string', default: '60' },
    people: { type: 'string', default: '100000' },
  },
})
const [STREAMS, EVENTS, PEOPLE] = [Number(values.streams), Number(values.events), Number(values.people)]
const print = (what: string, value: number, unit: string) =>
  process.stdout.write(`| ${what} | ${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit} |\n`)

/** An open event stream. */
interface Follower {
  isReady: boolean
  status: number
  close(): void
}

/** The times at which streams received the current `teams` event. */
const arrivals: number[] = []

async function follow(port: number, token: string): Promise<Follower> {
  const request = get({
    port,
    path: '/api/events?topics=teams,leaderboard,challenges,notifications',
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const follower: Follower = { isReady: false, status: response.statusCode ?? 0, close: () => void request.destroy() }
  response.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes('event: ready')) follower.isReady = true
    if (chunk.includes('event: teams')) arrivals.push(performance.now())
  })
  response.on('error', () => {})
  return follower
}

/** Kilobytes of a process. */
const residentOf = ({ pid }: Program): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

async function followAll(programs: Program[], tokens: string[]): Promise<Follower[]> {
  const followers: Follower[] = []
  // A hundred at a time, as fast as they are answered.
  for (let from = 0; from < tokens.length; from += 100) {
    const batch = tokens.slice(from, from + 100)
    followers.push(
      ...(await Promise.all(batch.map((token, n) => follow(programs[n % programs.length]?.port ?? 0, token)))),
    )
  }
  await until('every stream is ready', () => followers.every(({ isReady }) => isReady), 60_000)
  return followers
}

/** Milliseconds after which V8 has collected the garbage of an idle process, which it does after about 30 s. */
const COLLECTED_MS = 45_000

/** Measures how fast streams receive changes of a team, whose chef has the first token. */
async function measureDelivery(programs: Program[], tokens: string[], team: { id: string }) {
  const name = `${tokens.length} streams on ${programs.length} processes`
  await sleep(COLLECTED_MS)
  const before = programs.map(residentOf)
  const followers = await followAll(programs, tokens)
  const growth = () => programs.reduce((sum, program, n) => sum + residentOf(program) - (before[n] ?? 0), 0)
  print(`${name}: resident memory a stream, just connected`, growth() / tokens.length, 'kB')
  await sleep(COLLECTED_MS)
  print(`${name}: resident memory a stream`, growth() / tokens.length, 'kB')
  const [client, [token = '']] = [new Client(programs[0]?.port ?? 0), tokens]
  const took: number[] = []
  for (let event = 0; event < EVENTS; event++) {
    arrivals.length = 0
    const sent = performance.now()
    const change = { id: team.id, description: `We build small things, ${event}.` }
    await dataOf(client.call(requestOf('teams.update', change, { token })))
    await until('every stream has the event', () => arrivals.length >= tokens.length, 30_000)
    took.push(...arrivals.map((at) => at - sent))
    // A random pause, so that changes do not keep in step with the server's polling.
    await sleep(Math.random() * 500)
  }
  print(`${name}: request to receipt, p50`, quantile(took, 0.5), 'ms')
  print(`${name}: request to receipt, p99`, quantile(took, 0.99), 'ms')
  return followers
}

const READ = prepare({ line: 'GET /teams?limit=20' })
/** The p99 in milliseconds of reads by other clients until `work` ends, or for that many milliseconds. */
async function readWhile(program: Program, work: Promise<unknown> | number): Promise<number> {
  let isDone = false
  void (typeof work === 'number' ? sleep(work) : work).finally(() => (isDone = true))
  const next = () => (isDone ? undefined : READ)
  const { times: took } = await load(program, { connections: 4, seconds: 600, next })
  return quantile(took, 0.99)
}

await withBench([], async ({ cluster, dataDir, register, describeLoad }) => {
  const start = () => register(startProduct({ databaseUrl: cluster.url, dataDir: dataDir() }))
  await migrate(cluster.url)
  const sql = postgres(cluster.url, { max: 2, onnotice: () => {} })
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`insert into users (name, email, search_text) select 'Member ' || n, 'member' || n || '@example.ma', ''
    from generate_series(1, ${PEOPLE}::int) n`
  const [admin] = await sql<{ id: string }[]>`insert into users (name, email, role, password_hash)
    values ('Admin', 'admin@example.ma', 'admin', ${hash}) returning id`
  const people = await sql<{ id: string }[]>`select id from users where role = 'member' order by id limit ${STREAMS}`
  const ids = people.map(({ id }) => id)
  const [adminToken = '', ...tokens] = await insertSessions(sql, [admin?.id ?? '', ...ids])
  await sql`analyze`
  process.stdout.write('| figure | value |\n| --- | ---: |\n')

  const first = await start()
  const team = await createTeam(new Client(first.port), { token: tokens[0] ?? '' })
  let followers = await measureDelivery([first], tokens, team)

  // Everybody connects again at once, while others read.
  for (const follower of followers) follower.close()
  await first.stop()
  const again = await start()
  const reconnecting = Promise.all(tokens.map((token) => follow(again.port, token)))
  print('others’ read p99 while all connect again', await readWhile(again, reconnecting), 'ms')
  followers = await reconnecting
  print('streams refused', followers.filter(({ status }) => status !== 200).length, '')
  for (const follower of followers) follower.close()
  await again.stop()

  const programs = [await start(), await start(), await start()]
  const [one] = programs as [Program]
  followers = await measureDelivery(programs, tokens, team)
  const idle = await readWhile(one, 10_000)
  const startedAt = performance.now()
  const announcement = { title: 'News', body: 'Read this.', audience: 'everyone' as const, password: PASSWORD }
  await dataOf(new Client(one.port).call(requestOf('admin.announce', announcement, { token: adminToken })))
  const isSent = async () => (await sql`select 1 from announcements where sent_at is not null`).length > 0
  const sending = until('the announcement is sent', isSent, 600_000)
  const during = await readWhile(one, sending)
  print(`fan-out to ${PEOPLE} people`, (performance.now() - startedAt) / 1000, 's')
  print('others’ read p99 before', idle, 'ms')
  print('others’ read p99 during the fan-out', during, 'ms')
  const [row] = await sql`select count(*)::int as written from notifications`
  print('notifications written', Number(row?.['written']), '')
  for (const follower of followers) follower.close()
  await sql.end()
  process.stdout.write(`\n${describeLoad()}\n`)
})
