// `pnpm bench:writes --before <checkout> [--rounds 5] [--only submit]`: compares the CPU time of writes in another checkout and
// in this one, in turns on one cluster, each on a database with its own migrations and seed. `--only` takes a part of their names.
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type * as db from '@community/db'
import { times } from '@community/testing'
import { requestOf } from '@community/testing/api-client'
import postgres from 'postgres'
import { type Bench, withBench } from './bench.ts'
import { compareInTurns, loadWithCpu, type PreparedRequest, prepare } from './driver.ts'
import { type Program, startCheckout } from './programs.ts'
import { table } from './report.ts'
import { applications, approvals, joinsAndLeaves, projects, signIns } from './requests.ts'
import { insertSnapshots, SCALES, type Seeded } from './seed.ts'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
})
const { before, only } = values
if (!before) throw new Error('--before takes the folder of a checkout')
const rounds = Number(values.rounds)
const [CLIENTS, PER_ROUND] = [16, 320]

/** A checkout's product, and the requests of a round by the name of the write. */
interface Checkout {
  program: Program
  writes: Record<string, (round: number) => PreparedRequest[]>
}

async function open({ createDatabase, dataDir, register }: Bench, name: string, root: string): Promise<Checkout> {
  const databaseUrl = await createDatabase(name)
  const importFrom = <T>(file: string) => import(pathToFileURL(path.join(root, file)).href) as Promise<T>
  const { migrate } = await importFrom<typeof db>('packages/db/src/index.ts')
  const { seed } = await importFrom<{ seed: (url: string, teams: number) => Promise<Seeded> }>(
    'apps/server/bench/seed.ts',
  )
  await migrate(databaseUrl)
  const seeded = await seed(databaseUrl, SCALES.M)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  // The seed of an older checkout lacks them.
  await insertSnapshots(sql)
  await sql`vacuum analyze`
  const program = await register(startCheckout(root, { databaseUrl, dataDir: dataDir() }))
  const writes = await requestsOf(sql, seeded)
  await sql.end()
  return { program, writes }
}

async function requestsOf(sql: postgres.Sql, seeded: Seeded): Promise<Checkout['writes']> {
  const most = PER_ROUND * rounds
  const joining = await joinsAndLeaves(sql, seeded, CLIENTS, CLIENTS)
  const [approving, applying] = [await approvals(sql, seeded, most), await applications(sql, seeded, most)]
  const submitting = await projects(sql, seeded, most)
  const signingIn = await signIns(sql, CLIENTS)
  const partOf = (requests: PreparedRequest[], round: number) =>
    requests.slice(round * PER_ROUND, (round + 1) * PER_ROUND)
  return {
    'join and leave a team': () => times(8, () => joining.flat()).flat(),
    'approve a submission': (round) => partOf(approving, round),
    'apply to a challenge': (round) => partOf(applying, round),
    'submit a project': (round) => partOf(submitting, round),
    'change a profile': (round) =>
      times(PER_ROUND, (n) => {
        const token = seeded.joinerTokens[n % CLIENTS] ?? ''
        return prepare(requestOf('users.updateProfile', { bio: `Bio ${round} ${n}` }, { token }))
      }),
    'sign in': () => times(3, () => signingIn).flat(),
  }
}

/** CPU of a request in microseconds. Each connection sends its requests in order. */
async function measure(program: Program, postmaster: number, requests: PreparedRequest[], perConnection: number) {
  const queues = times(CLIENTS, (connection) =>
    requests.filter((_, n) => Math.floor(n / perConnection) % CLIENTS === connection),
  )
  const next = (connection: number) => queues[connection]?.shift()
  return (await loadWithCpu(program, postmaster, { connections: CLIENTS, seconds: 60, next })).cpuMicros
}

await withBench(['shared_buffers=512MB'], async (bench) => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const checkouts = [await open(bench, 'before', before), await open(bench, 'after', root)] as const
  const rows: string[][] = []
  for (const name of Object.keys(checkouts[0].writes).filter((write) => write.includes(only))) {
    const cells = await compareInTurns(rounds, checkouts, ({ program, writes }, round) =>
      measure(program, bench.cluster.pid, writes[name]?.(round) ?? [], name.startsWith('join') ? 2 : 1),
    )
    rows.push([name, ...cells])
  }
  const head = ['write', 'before, CPU µs', 'after, CPU µs', 'after ÷ before', 'least to most']
  process.stdout.write(`${table(head, rows)}\n\n${rounds} rounds. ${bench.describeLoad()}\n`)
})
