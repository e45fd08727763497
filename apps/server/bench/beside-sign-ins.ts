import postgres from 'postgres'
import { createPasswords } from '../src/auth/passwords.ts'
import { encode, type Load, load, median, percentile } from './driver.ts'
import type { Program } from './programs.ts'

const PASSWORD = 'Zellige-2026'
const CLIENTS = 16
const READERS = 2

interface Beside {
  idle: { p50: number; p99: number }
  busy: { p50: number; p99: number }
  signInsPerSecond: number
}
/** Of the product and of the bare program, whose hashes nobody limits. */
export interface BesideResult {
  product: Beside
  bare: Beside
  /** Medians of the ratios of each round. */
  p50: number
  p99: number
  signIns: number
}

const READ = encode({ path: '/api/teams/leaderboard?limit=100' })
const read = ({ port }: Program, seconds: number) => load({ port, connections: READERS, seconds, next: () => READ })

const signInOf = (client: number) =>
  encode({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'x-forwarded-for': `10.60.0.${client + 1}` },
    body: { email: `beside${client}@example.ma`, password: PASSWORD },
  })

const timesOf = ({ times }: Load) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })

async function measureOne(program: Program, seconds: number): Promise<Beside> {
  const requests = Array.from({ length: CLIENTS }, (_, client) => signInOf(client))
  const idle = await read(program, seconds)
  const [busy, signIns] = await Promise.all([
    read(program, seconds),
    load({ port: program.port, connections: CLIENTS, seconds, next: (client) => requests[client] }),
  ])
  if (signIns.refused.size > 0) throw new Error(`sign-ins were refused: ${[...signIns.refused.keys()].join(', ')}`)
  return { idle: timesOf(idle), busy: timesOf(busy), signInsPerSecond: signIns.answered / signIns.seconds }
}

/** Reads of two people alone, then while sixteen sign in without pause, each to an account of their own. */
export async function measureBesideSignIns(
  product: Program,
  bare: Program,
  { databaseUrl, rounds, seconds }: { databaseUrl: string; rounds: number; seconds: number },
): Promise<BesideResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const hash = await createPasswords().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash)
    select 'Beside ' || n, 'beside' || n || '@example.ma', ${hash} from generate_series(0, ${CLIENTS - 1}) n`
  await sql.end()
  const found: { product: Beside; bare: Beside }[] = []
  for (let round = 0; round < rounds; round++)
    found.push({ product: await measureOne(product, seconds), bare: await measureOne(bare, seconds) })
  const middle = (of: (round: { product: Beside; bare: Beside }) => number) => median(found.map(of))
  const summary = (who: 'product' | 'bare'): Beside => ({
    idle: { p50: middle((one) => one[who].idle.p50), p99: middle((one) => one[who].idle.p99) },
    busy: { p50: middle((one) => one[who].busy.p50), p99: middle((one) => one[who].busy.p99) },
    signInsPerSecond: middle((one) => one[who].signInsPerSecond),
  })
  return {
    product: summary('product'),
    bare: summary('bare'),
    p50: middle(({ product: { busy, idle } }) => busy.p50 / idle.p50),
    p99: middle(({ product: { busy, idle } }) => busy.p99 / idle.p99),
    signIns: middle((one) => one.product.signInsPerSecond / one.bare.signInsPerSecond),
  }
}
