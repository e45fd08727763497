// `pnpm bench:query-handler [--rounds 9] [--seconds 1]`: what tRPC queries cost by the official adapter and by the product's handler, both
// above the response cache. Prints the table of docs/decisions/0026-trpc-query-handler.md.
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { median } from '@community/testing'
import { prepare } from './driver.ts'
import { callOf, measureRound, type Read } from './hot-reads.ts'
import { buildPrograms, type Program, startProduct } from './programs.ts'
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
const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
const cluster = await startEmbeddedPostgres({ dir, database: 'bench', flags: ['shared_buffers=512MB'] })
const programs: Program[] = []
async function start(bundle: 'product' | 'adapter'): Promise<Program> {
  const program = await startProduct({ databaseUrl: cluster.url, dataDir: path.join(dir, bundle), bundle })
  programs.push(program)
  return program
}

try {
  const [loadBefore] = os.loadavg()
  await buildPrograms()
  await migrate(cluster.url)
  const seeded = await seed(cluster.url, SCALES.M)
  const [handler, adapter] = [await start('product'), await start('adapter')]
  process.stdout.write('| query | handler, CPU µs | adapter, CPU µs | adapter ÷ handler | least to most |\n')
  process.stdout.write('| --- | ---: | ---: | ---: | ---: |\n')
  for (const read of QUERIES) {
    const measure = async (program: Program) => {
      const scenario = { read: read.name, by: '', program, request: prepare(callOf(read, seeded)) }
      return (await measureRound(scenario, seconds, cluster.pid)).cpuMicros
    }
    const pairs: [handler: number, adapter: number][] = []
    for (let round = 0; round < rounds; round++) {
      // In turns, each first in every other round.
      const order = round % 2 === 0 ? [handler, adapter] : [adapter, handler]
      const cost = new Map<Program, number>()
      for (const program of order) cost.set(program, await measure(program))
      pairs.push([cost.get(handler) ?? NaN, cost.get(adapter) ?? NaN])
    }
    const ratios = pairs.map(([own, official]) => official / own)
    const least = (index: 0 | 1) => Math.min(...pairs.map((pair) => pair[index])).toFixed(0)
    const spread = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`
    process.stdout.write(`| ${read.name} | ${least(0)} | ${least(1)} | ${median(ratios).toFixed(1)} | ${spread} |\n`)
  }
  const about = `${rounds} rounds of ${seconds} s, Node ${process.version}, load average ${loadBefore?.toFixed(1)} before and ${os.loadavg()[0]?.toFixed(1)} after`
  process.stdout.write(`\n${about}\n`)
} finally {
  for (const program of programs) await program.stop()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
