// `pnpm bench:streams [--streams 2000] [--events 60] [--people 100000]`: what open streams cost on one process and on three: from event to
// receipt, memory, reconnecting all at once after a restart, and the fan-out of one announcement.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { PASSWORD, quantile, until } from '@community/testing'
import { insertSessions } from '@community/testing/database/users'
import postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { load, prepare } from './driver.ts'
import { buildPrograms, type Program, startProduct } from './programs.ts'

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
const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
const cluster = await startEmbeddedPostgres({ dir, database: 'bench', flags: ['max_wal_size=4GB'] })
const sql = postgres(cluster.url, { max: 2, onnotice: () => {} })

/** A stream that reports its first event, each `teams` event and its end. */
interface Follower {
  isReady: boolean
  status: number
  close(): void
}

/** Receivers of the `teams` event that the bench causes. */
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

const all = async (ports: number[], tokens: string[]): Promise<Follower[]> => {
  const followers: Follower[] = []
  // A hundred at a time, as fast as they are answered.
  for (let from = 0; from < tokens.length; from += 100)
    followers.push(
      ...(await Promise.all(
        tokens.slice(from, from + 100).map((token, n) => follow(ports[n % ports.length] ?? 0, token)),
      )),
    )
  await until('every stream is ready', () => followers.every(({ isReady }) => isReady), 60_000)
  return followers
}

/** Milliseconds after which an idle process has collected its garbage: V8 does so after about 30 s. */
const COLLECTED_MS = 45_000

async function measureDelivery(programs: Program[], tokens: string[], name: string) {
  await sleep(COLLECTED_MS)
  const before = programs.map(residentOf)
  const followers = await all(
    programs.map(({ port }) => port),
    tokens,
  )
  const growth = () => programs.reduce((sum, program, n) => sum + residentOf(program) - (before[n] ?? 0), 0)
  print(`${name}: resident memory a stream, just connected`, growth() / tokens.length, 'kB')
  await sleep(COLLECTED_MS)
  print(`${name}: resident memory a stream`, growth() / tokens.length, 'kB')
  const [chef] = await sql<{ id: string }[]>`select id from teams limit 1`
  const [token = ''] = tokens
  const took: number[] = []
  for (let event = 0; event < EVENTS; event++) {
    arrivals.length = 0
    const sent = performance.now()
    const response = await fetch(`http://127.0.0.1:${programs[0]?.port}/api/teams/${chef?.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: `We build small things, ${event}.` }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    await until('every stream has the event', () => arrivals.length >= tokens.length, 30_000)
    took.push(...arrivals.map((at) => at - sent))
    // Outside the spacing of two polls.
    await sleep(Math.random() * 500)
  }
  print(`${name}: request to receipt, p50`, quantile(took, 0.5), 'ms')
  print(`${name}: request to receipt, p99`, quantile(took, 0.99), 'ms')
  return followers
}

const READ = prepare({ path: '/api/teams?limit=20' })
/** Reads of others meanwhile, over four connections: their p99 in milliseconds. */
async function readWhile(port: number, work: Promise<unknown> | number): Promise<number> {
  let isOver = false
  void (typeof work === 'number' ? sleep(work) : work).finally(() => (isOver = true))
  const next = () => (isOver ? undefined : READ)
  const { times: took } = await load({ port, connections: 4, seconds: 600, next })
  return quantile(took, 0.99)
}

let programs: Program[] = []
const start = (n: number) => startProduct({ databaseUrl: cluster.url, dataDir: path.join(dir, String(n)) })
try {
  process.stdout.write(`load average ${os.loadavg()[0]?.toFixed(1)}\n| figure | value |\n| --- | ---: |\n`)
  await buildPrograms()
  await migrate(cluster.url)
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`insert into users (name, email, search_text) select 'Member ' || n, 'member' || n || '@example.ma', ''
    from generate_series(1, ${PEOPLE}::int) n`
  const [admin] = await sql<{ id: string }[]>`insert into users (name, email, role, password_hash)
    values ('Admin', 'admin@example.ma', 'admin', ${hash}) returning id`
  const people = await sql<{ id: string }[]>`select id from users where role = 'member' order by id limit ${STREAMS}`
  const tokens = await insertSessions(
    sql,
    people.map(({ id }) => id),
  )
  const [adminToken = ''] = await insertSessions(sql, [admin?.id ?? ''])
  const [team] = await sql<
    { id: string }[]
  >`insert into teams (name, name_key, description, owner_id, member_count, experience, search_text)
    values ('Atlas', 'atlas', 'We build', ${people[0]?.id ?? ''}, 1, 'Beginner', '') returning id`
  await sql`insert into team_members (team_id, user_id, is_chef, role_id, name, email, phone, experience)
    select ${team?.id ?? ''}, id, true, (select id from roles limit 1), name, email, '0612345678', 'Beginner' from users where id = ${people[0]?.id ?? ''}`
  await sql`analyze`

  programs = [await start(0)]
  const [first] = programs as [Program]
  let followers = await measureDelivery(programs, tokens, `${STREAMS} streams on one process`)

  // Everybody connects again at once, while others read.
  for (const follower of followers) follower.close()
  await first.stop()
  programs = [await start(1)]
  const [again] = programs as [Program]
  const reconnecting = Promise.all(tokens.map((token) => follow(again.port, token)))
  print('others’ read p99 while all connect again', await readWhile(again.port, reconnecting), 'ms')
  followers = await reconnecting
  print('streams refused', followers.filter(({ status }) => status !== 200).length, '')
  for (const follower of followers) follower.close()
  await again.stop()

  programs = [await start(2), await start(3), await start(4)]
  followers = await measureDelivery(programs, tokens, `${STREAMS} streams on three processes`)

  const [one] = programs as [Program]
  const idle = await readWhile(one.port, 10_000)
  const startedAt = performance.now()
  const announced = await fetch(`http://127.0.0.1:${one.port}/api/admin/announcements`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'News', body: 'Read this.', audience: 'everyone', password: PASSWORD }),
  })
  if (!announced.ok) throw new Error(`${announced.status} ${await announced.text()}`)
  const isSent = async () => (await sql`select 1 from announcements where sent_at is not null`).length > 0
  const sending = until('the announcement is sent', isSent, 600_000)
  const during = await readWhile(one.port, sending)
  print(`fan-out to ${PEOPLE} people`, (performance.now() - startedAt) / 1000, 's')
  print('others’ read p99 before', idle, 'ms')
  print('others’ read p99 during the fan-out', during, 'ms')
  const [row] = await sql`select count(*)::int as written from notifications`
  print('notifications written', Number(row?.['written']), '')
  for (const follower of followers) follower.close()
  process.stdout.write(`\nload average ${os.loadavg()[0]?.toFixed(1)}\n`)
} finally {
  for (const program of programs) await program.stop()
  await sql.end()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
