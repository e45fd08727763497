// `pnpm bench:query-handler [--rounds 9] [--seconds 1]`: what tRPC queries cost by the official adapter and by the product's handler, both
// above the response cache. Prints the table of docs/decisions/0026-trpc-query-handler.md.
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import { withBench } from './bench.ts'
import { compareInTurns, prepare } from './driver.ts'
import { callOf, measureRound, type Read } from './hot-reads.ts'
import { startProduct } from './programs.ts'
import { table } from './report.ts'
import { SCALES, seed } from './seed.ts'

const query = (name: string, input?: object): string =>
  `/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`
const BATCH_INPUT = encodeURIComponent(JSON.stringify({ 1: { limit: 12 }, 2: { limit: 10 } }))

/** The compared queries. Public ones are answered from the response cache; those with `isPrivate` send a token and are not. */
const QUERIES: Read[] = [
  { name: 'teams, 100 (cached)', path: query('teams.list', { limit: 100 }) },
  { name: 'leaderboard, 100 (cached)', path: query('teams.leaderboard', { limit: 100 }) },
  { name: 'works, 100 (cached)', path: query('submissions.approved', { limit: 100 }) },
  { name: 'challenges, 50 (cached)', path: query('challenges.list', { limit: 50 }) },
  { name: 'roles (cached)', path: query('roles.list') },
  {
    name: 'batch of roles, 12 teams, 10 places (cached)',
    path: `/trpc/roles.list,teams.list,teams.leaderboard?batch=1&input=${BATCH_INPUT}`,
  },
  { name: 'own profile', path: query('users.profile'), isPrivate: true },
  { name: 'dashboard', path: query('users.dashboard'), isPrivate: true },
]

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '1' } },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

await withBench(['shared_buffers=512MB'], async ({ cluster, dataDir, register, describeLoad }) => {
  await migrate(cluster.url)
  const seeded = await seed(cluster.url, SCALES.M)
  const start = (bundle: 'product' | 'adapter') =>
    register(startProduct({ databaseUrl: cluster.url, dataDir: dataDir(), bundle }))
  const programs = [await start('product'), await start('adapter')] as const
  const rows: string[][] = []
  for (const read of QUERIES) {
    const request = prepare(callOf(read, seeded))
    const cells = await compareInTurns(rounds, programs, async (program) => {
      const scenario = { read: read.name, by: '', program, request }
      return (await measureRound(scenario, { seconds, postmaster: cluster.pid })).cpuMicros
    })
    rows.push([read.name, ...cells])
  }
  const head = ['query', 'handler, CPU µs', 'adapter, CPU µs', 'adapter ÷ handler', 'least to most']
  const about = `${rounds} rounds of ${seconds} s, Node ${process.version}. ${describeLoad()}`
  process.stdout.write(`${table(head, rows)}\n\n${about}\n`)
})
