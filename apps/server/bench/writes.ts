// `pnpm bench:writes --before <checkout> [--rounds 5]`: compares the CPU time of writes in another checkout and in this one,
// in turns on one cluster, each on a database with its own migrations and seed.
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type * as db from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { median, PASSWORD, times, validInput } from '@community/testing'
import postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { load, type Prepared, prepare } from './driver.ts'
import { processorTime, usedBetween } from './processor-time.ts'
import { buildPrograms, type Program, startCheckout } from './programs.ts'
import { SCALES, type Seeded } from './seed.ts'

const { values } = parseArgs({
  options: { before: { type: 'string' }, rounds: { type: 'string', default: '5' } },
})
if (!values.before) throw new Error('--before takes the folder of a checkout')
const rounds = Number(values.rounds)
const [CLIENTS, PER_ROUND] = [16, 320]
const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
const cluster = await startEmbeddedPostgres({
  dir,
  database: 'bench',
  flags: ['shared_buffers=512MB', 'max_wal_size=4GB'],
})

/** A checkout's product, and the requests of a round by the name of the write. */
interface Side {
  program: Program
  writes: Record<string, (round: number) => Prepared[]>
}

async function open(name: 'before' | 'after', root: string): Promise<Side> {
  const databaseUrl = cluster.url.replace(/[^/]+$/, name)
  const admin = postgres(cluster.url, { max: 1, onnotice: () => {} })
  await admin`create database ${admin(name)}`
  await admin.end()
  const importFrom = <T>(file: string) => import(pathToFileURL(path.join(root, file)).href) as Promise<T>
  const { migrate } = await importFrom<typeof db>('packages/db/src/index.ts')
  const { seed } = await importFrom<{ seed: (url: string, teams: number) => Promise<Seeded> }>(
    'apps/server/bench/seed.ts',
  )
  await migrate(databaseUrl)
  const seeded = await seed(databaseUrl, SCALES.M)
  const program = await startCheckout(root, { databaseUrl, dataDir: path.join(dir, name) })
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const writes = await requestsOf(sql, seeded)
  await sql.end()
  return { program, writes }
}

async function requestsOf(sql: postgres.Sql, seeded: Seeded): Promise<Side['writes']> {
  const { token, adminToken, joinerTokens } = seeded
  const post = (url: string, body: object, by: string) =>
    prepare({ method: 'POST', path: `/api${url}`, token: by, body })
  const seats = await sql<{ id: string; role: string }[]>`
    select t.id, n.role_id as role from teams t join team_roles_needed n on n.team_id = t.id
    where n.position = (select min(position) from team_roles_needed where team_id = t.id) order by t.name_key limit ${CLIENTS}`
  const pending = await sql<{ id: string }[]>`select id from submissions where status = 'pending' order by id`
  // The owner of a team applies, so the viewer owns those that apply.
  const teams = await sql<{ id: string }[]>`
    update teams set owner_id = ${seeded.viewerId}
    where id in (select id from teams where member_count = 5 order by name_key offset 100 limit ${PER_ROUND * rounds}) returning id`
  const [challenge] = await sql<{ id: string }[]>`
    insert into challenges (title, description, requirements, difficulty, category, deadline, points, search_text)
    select 'Applications', 'For the bench.', requirements, difficulty, category, now() + interval '1 day', 100, 'applications'
    from challenges limit 1 returning id`
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash, search_text)
    select 'Beside ' || n, 'beside' || n || '@example.ma', ${hash}, '' from generate_series(0, ${CLIENTS - 1}) n`
  const work = { type: 'link', content: 'https://example.ma/work', applicationNotes: 'Please look.' }
  const slice = <T>(rows: readonly T[], round: number) => rows.slice(round * PER_ROUND, (round + 1) * PER_ROUND)
  return {
    'join and leave a team': () =>
      times(CLIENTS * 8, (n) => {
        const seat = seats[n % CLIENTS] ?? { id: '', role: '' }
        const { id: _path, ...body } = validInput('teams.join', { id: seat.id, role: { id: seat.role } })
        const by = joinerTokens[n % CLIENTS] ?? ''
        return [post(`/teams/${seat.id}/join`, body, by), post(`/teams/${seat.id}/leave`, {}, by)]
      }).flat(),
    'approve a submission': (round) =>
      slice(pending, round).map(({ id }, n) =>
        post(`/submissions/${id}/evaluate`, { status: 'approved', score: 51 + (n % 50) }, adminToken),
      ),
    'apply to a challenge': (round) =>
      slice(teams, round).map(({ id }) => post(`/challenges/${challenge?.id}/apply`, { teamId: id, ...work }, token)),
    'change a profile': (round) =>
      times(PER_ROUND, (n) => {
        const body = { bio: `Bio ${round} ${n}` }
        return prepare({ method: 'PUT', path: '/api/users/profile', token: joinerTokens[n % CLIENTS], body })
      }),
    'sign in': () =>
      times(CLIENTS * 3, (n) => {
        const headers = { 'x-forwarded-for': `10.60.0.${(n % CLIENTS) + 1}` }
        const body = { email: `beside${n % CLIENTS}@example.ma`, password: PASSWORD }
        return prepare({ method: 'POST', path: '/api/auth/login', headers, body })
      }),
  }
}

/** CPU of a request in microseconds, of the server and PostgreSQL. Each connection sends its requests in order. */
async function measure({ program: { port, pid } }: Side, requests: Prepared[], perConnection: number): Promise<number> {
  const queues = times(CLIENTS, (connection) =>
    requests.filter((_, n) => Math.floor(n / perConnection) % CLIENTS === connection),
  )
  const before = processorTime(pid, cluster.pid)
  await load({ port, connections: CLIENTS, seconds: 60, next: (connection) => queues[connection]?.shift() })
  return usedBetween(before, processorTime(pid, cluster.pid)) / 1000 / requests.length
}

const sides: Side[] = []
try {
  const [loadBefore] = os.loadavg()
  await buildPrograms()
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  sides.push(await open('before', values.before), await open('after', root))
  process.stdout.write(
    '| write | before, CPU µs | after, CPU µs | after ÷ before | least to most |\n| --- | ---: | ---: | ---: | ---: |\n',
  )
  for (const name of Object.keys(sides[0]?.writes ?? {})) {
    const pairs: number[][] = []
    for (let round = 0; round < rounds; round++) {
      const used = [0, 0]
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const side = sides[index] as Side
        used[index] = await measure(side, side.writes[name]?.(round) ?? [], name.startsWith('join') ? 2 : 1)
      }
      pairs.push(used)
    }
    const ratios = pairs.map(([before = NaN, after = NaN]) => after / before)
    const least = (index: number) => Math.min(...pairs.map((pair) => pair[index] ?? NaN)).toFixed(0)
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    process.stdout.write(`| ${name} | ${least(0)} | ${least(1)} | ${median(ratios).toFixed(2)} | ${spread} |\n`)
  }
  process.stdout.write(
    `\n${rounds} rounds, load average ${loadBefore?.toFixed(1)} before and ${os.loadavg()[0]?.toFixed(1)} after\n`,
  )
} finally {
  for (const { program } of sides) await program.stop()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
