import { setTimeout as sleep } from 'node:timers/promises'
import { median, PASSWORD, times, validInput } from '@community/testing'
import type postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { compare, type Figures, load, type Prepared, prepare, ratePerSecond } from './driver.ts'
import { processorTime, usedBetween, usedSinceStart } from './processor-time.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

interface Setting {
  /** Starts one more process of the product. */
  start: () => Promise<Program>
  product: Program
  bare: Program
  sql: postgres.Sql
  /** The process id of PostgreSQL's postmaster. */
  postmaster: number
  seeded: Seeded
  rounds: number
  seconds: number
}

const CLIENTS = 16
const LEADERBOARD = prepare({ path: '/api/teams/leaderboard?limit=100' })

/** The least of several starts: other work on the machine can only add to it. */
export async function measureStarts({ start, rounds }: Setting): Promise<Figures> {
  const used: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const program = await start()
    used.push(usedSinceStart(program.pid))
    await program.stop()
  }
  return { 'CPU of a start, ms': Math.min(...used) }
}

/** The leaderboard, read without pause, alone and while ten changes a second are committed. */
export async function measureChanges({ product, sql, rounds, seconds }: Setting): Promise<Figures> {
  const read = () => ratePerSecond({ port: product.port, connections: CLIENTS, seconds, next: () => LEADERBOARD })
  return compare(rounds, ['leaderboard/s with 10 changes/s', 'leaderboard/s'], async () => {
    const quiet = await read()
    const stop = new AbortController()
    const changes = (async () => {
      for (; !stop.signal.aborted; await sleep(100)) await sql`update settings set updated_at = now()`
    })()
    const changing = await read().finally(() => stop.abort())
    await changes
    return [changing, quiet]
  })
}

/** Joins by so many people at once, each followed by a leave: each round begins with the same seats. */
async function compareJoins(
  { product, bare, sql, seeded, rounds, seconds }: Setting,
  name: string,
  { people, teams: count }: { people: number; teams: number },
): Promise<Figures> {
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
    const next = (connection: number, round: number) =>
      performance.now() > end && round % 2 === 0 ? undefined : pairs[connection]?.[round % 2]
    return (await ratePerSecond({ port, connections: people, seconds: seconds * 10, next })) / 2
  }
  const names: [string, string] = [name, `${name}, bare`]
  return compare(rounds, names, async () => [await joinsPerSecond(product), await joinsPerSecond(bare)])
}

/** A seeded team has six free seats. */
export const measureJoins = async (setting: Setting): Promise<Figures> => ({
  ...(await compareJoins(setting, 'joins/s of many teams', { people: CLIENTS, teams: CLIENTS })),
  ...(await compareJoins(setting, 'joins/s of one team', { people: 6, teams: 1 })),
})

/** Sixteen at once approve pending submissions. Each round gives both programs the same number, of as many teams. */
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
  const approvals = await compare(rounds, ['approvals/s', 'approvals/s, bare'], async () => [
    await approvalsPerSecond(product),
    await approvalsPerSecond(bare),
  ])
  return { ...approvals, 'deadlocks meanwhile': (await countDeadlocks()) - before }
}

/** A chef applies for many teams, one after the other: CPU of the server and PostgreSQL for each, the least of the rounds. */
export async function measureApplications({ product, sql, postmaster, seeded, rounds }: Setting): Promise<Figures> {
  const [challenge] = await sql<{ id: string }[]>`
    insert into challenges (title, description, requirements, difficulty, category, deadline, points, search_text)
    select 'Applications', 'For the bench.', requirements, difficulty, category, now() + interval '1 day', 100, 'applications'
    from challenges limit 1 returning id`
  // Makes the viewer the owner of teams that have not applied, because only the owner may apply.
  const teams = await sql<{ id: string }[]>`
    update teams set owner_id = ${seeded.viewerId}
    where id in (select id from teams where member_count = 5 order by name_key limit ${150 * rounds}) returning id`
  const teamsPerRound = Math.floor(teams.length / rounds)
  const requests = teams.map(({ id }) => {
    const work = { type: 'link', content: 'https://example.ma/work', applicationNotes: 'Please look.' }
    const body = { teamId: id, ...work }
    return prepare({ method: 'POST', path: `/api/challenges/${challenge?.id}/apply`, token: seeded.token, body })
  })
  const used: number[] = []
  for (let round = 0; round < rounds; round++) {
    const batch = requests.splice(0, teamsPerRound)
    const before = processorTime(product.pid, postmaster)
    await load({ port: product.port, connections: 1, seconds: 60, next: () => batch.pop() })
    used.push(usedBetween(before, processorTime(product.pid, postmaster)) / 1e6 / teamsPerRound)
  }
  return { 'CPU of an application, ms': Math.min(...used) }
}

/** Two connections read, alone and then while sixteen sign in without pause, each to an account of its own. */
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
  const readP50 = async () =>
    median((await load({ port, connections: 2, seconds: seconds * 2, next: () => LEADERBOARD })).times)
  let signInsPerSecond = 0
  const reads = await compare(rounds, ['read p50 while 16 sign in, ms', 'read p50 idle, ms'], async () => {
    const idle = await readP50()
    const next = (client: number) => signIns[client]
    const signIn = ratePerSecond({ port, connections: CLIENTS, seconds: seconds * 2, next })
    const busy = await readP50()
    signInsPerSecond = await signIn
    return [busy, idle]
  })
  return { ...reads, 'sign-ins/s meanwhile': signInsPerSecond }
}
