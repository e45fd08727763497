import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD, quantile, times, validInput } from '@community/testing'
import type postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { compare, loadWithSuccess, type Prepared, prepare, ratePerSecond } from './driver.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

export interface Setting {
  product: Program
  bare: Program
  sql: postgres.Sql
  seeded: Seeded
  rounds: number
  seconds: number
}

/** By what was measured. */
export type Figures = Record<string, number>

const CLIENTS = 16
const LEADERBOARD = prepare({ path: '/api/teams/leaderboard?limit=100' })

/** The leaderboard, read without pause, alone and while somebody commits ten changes a second. */
export async function measureChanges({ product, sql, rounds, seconds }: Setting): Promise<Figures> {
  const read = () => ratePerSecond({ port: product.port, connections: CLIENTS, seconds, next: () => LEADERBOARD })
  const { first, second, ratio } = await compare(rounds, async () => {
    const quiet = await read()
    const stop = new AbortController()
    const changes = (async () => {
      for (; !stop.signal.aborted; await sleep(100)) await sql`update settings set updated_at = now()`
    })()
    const changing = await read()
    stop.abort()
    await changes
    return [changing, quiet]
  })
  return { 'leaderboard/s': second, 'leaderboard/s with 10 changes/s': first, 'leaderboard with changes, ratio': ratio }
}

/** Joins of so many teams by so many people at once, each followed by a leave: each round begins with the same seats. */
async function compareJoins({ product, bare, sql, seeded, rounds, seconds }: Setting, people: number, count: number) {
  const teams = await sql<{ id: string; role: string }[]>`
    select t.id, n.role_id as role from teams t join team_roles_needed n on n.team_id = t.id
    where n.position = (select min(position) from team_roles_needed where team_id = t.id) order by t.name_key limit ${count}`
  const pairs = seeded.joinerTokens.slice(0, people).map((token, number): [Prepared, Prepared] => {
    const { id, role } = teams[number % teams.length] ?? { id: '', role: '' }
    const { id: _path, ...body } = validInput('teams.join', { id, role: { id: role } })
    const post = { method: 'POST' as const, token }
    return [
      prepare({ ...post, path: `/api/teams/${id}/join`, body }),
      prepare({ ...post, path: `/api/teams/${id}/leave`, body: {} }),
    ]
  })
  const joinsPerSecond = async ({ port }: Program) => {
    const end = performance.now() + seconds * 1000
    const next = (connection: number, turn: number) =>
      performance.now() > end && turn % 2 === 0 ? undefined : pairs[connection]?.[turn % 2]
    return (await ratePerSecond({ port, connections: people, seconds: seconds * 10, next })) / 2
  }
  return compare(rounds, async () => [await joinsPerSecond(product), await joinsPerSecond(bare)])
}

/** A seeded team has six free seats. */
export async function measureJoins(setting: Setting): Promise<Figures> {
  const [many, one] = [await compareJoins(setting, CLIENTS, CLIENTS), await compareJoins(setting, 6, 1)]
  return {
    'joins/s of many teams': many.first,
    'joins/s of many teams, bare': many.second,
    'joins of many teams, ratio': many.ratio,
    'joins/s of one team': one.first,
    'joins/s of one team, bare': one.second,
    'joins of one team, ratio': one.ratio,
  }
}

/** Sixteen at once approve what waits. Each round gives both programs as many submissions, of as many teams. */
export async function measureApprovals({ product, bare, sql, seeded, rounds, seconds }: Setting): Promise<Figures> {
  const most = 400 * 2 * rounds
  const pending = await sql<
    { id: string }[]
  >`select id from submissions where status = 'pending' order by id limit ${most}`
  const share = Math.floor(pending.length / (2 * rounds))
  const countDeadlocks = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql`select deadlocks from pg_stat_database where datname = current_database()`
    return Number(row?.deadlocks)
  }
  const approvalsPerSecond = ({ port }: Program) => {
    const requests = pending.splice(0, share).map(({ id }, number) => {
      const body = { status: 'approved', score: 51 + (number % 50) }
      return prepare({ method: 'POST', path: `/api/submissions/${id}/evaluate`, token: seeded.adminToken, body })
    })
    return ratePerSecond({ port, connections: CLIENTS, seconds: seconds * 4, next: () => requests.pop() })
  }
  const before = await countDeadlocks()
  const { first, second, ratio } = await compare(rounds, async () => [
    await approvalsPerSecond(product),
    await approvalsPerSecond(bare),
  ])
  const deadlocks = (await countDeadlocks()) - before
  return {
    'approvals/s': first,
    'approvals/s, bare': second,
    'approvals, ratio': ratio,
    'deadlocks meanwhile': deadlocks,
  }
}

/** Two people read, alone and then while sixteen sign in without pause, each to an account of their own. */
export async function measureBesideSignIns({ product: { port }, sql, rounds, seconds }: Setting): Promise<Figures> {
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash)
    select 'Beside ' || n, 'beside' || n || '@example.ma', ${hash} from generate_series(0, ${CLIENTS - 1}) n`
  const signIns = times(CLIENTS, (client) =>
    prepare({
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'x-forwarded-for': `10.60.0.${client + 1}` },
      body: { email: `beside${client}@example.ma`, password: PASSWORD },
    }),
  )
  const p99: { idle: number[]; busy: number[] } = { idle: [], busy: [] }
  const read = async (kind: keyof typeof p99) => {
    const found = await loadWithSuccess({ port, connections: 2, seconds: seconds * 2, next: () => LEADERBOARD })
    p99[kind].push(quantile(found.times, 0.99))
    return quantile(found.times, 0.5)
  }
  let signInsPerSecond = 0
  const { first, second, ratio } = await compare(rounds, async () => {
    const idle = await read('idle')
    const signIn = ratePerSecond({
      port,
      connections: CLIENTS,
      seconds: seconds * 2,
      next: (client) => signIns[client],
    })
    const busy = await read('busy')
    signInsPerSecond = await signIn
    return [busy, idle]
  })
  return {
    'read p50 idle, ms': second,
    'read p99 idle, ms': quantile(p99.idle, 0.5),
    'read p50 while 16 sign in, ms': first,
    'read p99 while 16 sign in, ms': quantile(p99.busy, 0.5),
    'read while 16 sign in, ratio': ratio,
    'sign-ins/s meanwhile': signInsPerSecond,
  }
}
