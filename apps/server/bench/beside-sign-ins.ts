import { PASSWORD } from '@community/testing'
import postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { type Load, load, median, percentile, prepare } from './driver.ts'
import type { Program } from './programs.ts'

const CLIENTS = 16
const READERS = 2

interface Times {
  p50: number
  p99: number
}
export interface BesideResult {
  idle: Times
  busy: Times
  signInsPerSecond: number
  /** Median of the rounds' ratios of the p50. */
  ratio: number
}

const READ = prepare({ path: '/api/teams/leaderboard?limit=100' })
const SIGN_INS = Array.from({ length: CLIENTS }, (_, client) =>
  prepare({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'x-forwarded-for': `10.60.0.${client + 1}` },
    body: { email: `beside${client}@example.ma`, password: PASSWORD },
  }),
)

const timesOf = ({ times }: Load): Times => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })

async function measureRound({ port }: Program, seconds: number) {
  const read = () => load({ port, connections: READERS, seconds, next: () => READ })
  const idle = await read()
  const [busy, signIns] = await Promise.all([
    read(),
    load({ port, connections: CLIENTS, seconds, next: (client) => SIGN_INS[client] }),
  ])
  if (signIns.refused.size > 0) throw new Error(`sign-ins were refused: ${[...signIns.refused.keys()].join(', ')}`)
  return { idle: timesOf(idle), busy: timesOf(busy), signInsPerSecond: signIns.answered / signIns.seconds }
}

/** Two people read, alone and then while sixteen sign in without pause, each to an account of their own. */
export async function measureBesideSignIns(
  product: Program,
  { databaseUrl, rounds, seconds }: { databaseUrl: string; rounds: number; seconds: number },
): Promise<BesideResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash)
    select 'Beside ' || n, 'beside' || n || '@example.ma', ${hash} from generate_series(0, ${CLIENTS - 1}) n`
  await sql.end()
  const found: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < rounds; round++) found.push(await measureRound(product, seconds))
  const middle = (of: (round: (typeof found)[number]) => number) => median(found.map(of))
  return {
    idle: { p50: middle(({ idle }) => idle.p50), p99: middle(({ idle }) => idle.p99) },
    busy: { p50: middle(({ busy }) => busy.p50), p99: middle(({ busy }) => busy.p99) },
    signInsPerSecond: middle((one) => one.signInsPerSecond),
    ratio: middle(({ busy, idle }) => busy.p50 / idle.p50),
  }
}
