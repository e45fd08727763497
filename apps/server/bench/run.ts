// `pnpm bench [--scales S,M] [--rounds 5] [--seconds 1] [--write]`: measures the product and a bare server in the same run.
// Prints the tables of docs/performance.md; --write puts them there.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import postgres from 'postgres'
import { type Bench, withBench } from './bench.ts'
import { type Figures, prepare } from './driver.ts'
import { callOf, checkSameResponses, measureReads, READS, type ReadScenario } from './hot-reads.ts'
import { measurePolling } from './polling.ts'
import { type Program, startBare, startProduct } from './programs.ts'
import { againstBare, DEEP_PAGE, growth, type Results, roundTrips, tablesOf } from './report.ts'
import { measureScale } from './scale.ts'
import {
  measureApplications,
  measureApprovals,
  measureBesideSignIns,
  measureChanges,
  measureJoins,
  measureStarts,
} from './scenarios.ts'
import { type Scale, SCALES, seed, type Seeded } from './seed.ts'
import { measureFirstLoad, measureLandingData } from './shipped-bytes.ts'

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url))
const MEASUREMENTS = [
  measureStarts,
  measureFirstLoad,
  measureLandingData,
  measureChanges,
  measureJoins,
  measureApprovals,
  measureBesideSignIns,
  measureApplications,
  measurePolling,
]

const { values } = parseArgs({
  options: {
    scales: { type: 'string', default: 'S,M' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const scales = values.scales.split(',').filter((name): name is Scale => name in SCALES)
const [smallest, largest] = [scales[0], scales.at(-1)]
if (!smallest || !largest) throw new Error('--scales takes S, M and L, such as --scales S,M')
/** Everything is measured at this scale, except comparisons of scales. */
const main = scales.includes('M') ? 'M' : smallest
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

const startedAt = Date.now()
const log = (text: string) =>
  process.stderr.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
const FLAGS = [`shared_buffers=${scales.includes('L') ? '4GB' : '512MB'}`, 'random_page_cost=1.1']

/** The seeded database of each scale. */
async function seedScales({ createDatabase }: Bench) {
  const data = new Map<Scale, { url: string; seeded: Seeded }>()
  for (const scale of scales) {
    log(`seeding ${scale}: ${SCALES[scale]} teams`)
    const url = await createDatabase(`bench_${scale.toLowerCase()}`)
    await migrate(url)
    data.set(scale, { url, seeded: await seed(url, SCALES[scale]) })
  }
  return data
}

await withBench(FLAGS, async (bench) => {
  const { cluster, register } = bench
  const data = await seedScales(bench)
  const at = (scale: Scale) => data.get(scale) as { url: string; seeded: Seeded }
  const { url, seeded } = at(main)
  const startOn = (scale: Scale, bundle?: 'uncached') =>
    startProduct({ databaseUrl: at(scale).url, dataDir: bench.dataDir(), bundle })
  const [product, bare] = [await register(startOn(main)), await register(startBare(url))]
  await checkSameResponses(product, bare, seeded)

  const scenarios: ReadScenario[] = []
  const addScenarios = (by: string, program: Program, scale: Scale) => {
    for (const read of READS)
      scenarios.push({ read: read.name, by, program, request: prepare(callOf(read, at(scale).seeded)) })
  }
  addScenarios('BARE', bare, main)
  for (const scale of scales) addScenarios(`product at ${scale}`, await register(startOn(scale, 'uncached')), scale)
  log(`reads: ${scenarios.length} scenarios, ${rounds} rounds of ${seconds} s`)
  const reads = await measureReads(scenarios, { rounds, seconds, postmaster: cluster.pid })

  log('one connection')
  const timesAt: Results['scales'] = {}
  for (const [scale, found] of data) timesAt[scale] = await measureScale(found.url, found.seeded, SCALES[scale])

  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const figures: Figures = {}
  for (const measure of MEASUREMENTS) {
    log(measure.name)
    const setting = { start: () => startOn(main), product, bare, sql, postmaster: cluster.pid, seeded, rounds, seconds }
    Object.assign(figures, await measure(setting))
  }
  const [version] = await sql<{ server_version: string }[]>`show server_version`
  await sql.end()

  const cpu = (name: string, by: string) => reads.find((row) => row.read === name && row.by === by)?.cpuMicros ?? NaN
  for (const { name } of READS) {
    figures[againstBare(name)] = cpu(name, `product at ${main}`) / cpu(name, 'BARE')
    if (largest !== smallest)
      figures[growth(name)] = cpu(name, `product at ${largest}`) / cpu(name, `product at ${smallest}`)
  }
  const times = timesAt[largest] ?? {}
  for (const [name, time] of Object.entries(times)) figures[roundTrips(name)] = time / (times['select 1'] ?? NaN)
  figures[DEEP_PAGE] = (times['teams, deep page'] ?? NaN) / (times['teams, page 1'] ?? NaN)

  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  const processor = os.cpus()[0]?.model ?? 'unknown'
  const about = [
    `Run of ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC at ${commit}: ${os.availableParallelism()} cores of ${processor}, ${gigabytes} GB, Node ${process.version}, PostgreSQL ${version?.server_version}.`,
    `${bench.describeLoad()} Scales ${scales.join(', ')}, measured at ${main}; ${rounds} rounds of ${seconds} s; ${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.`,
  ]
  const tables = tablesOf({ about, scales: timesAt, reads, figures })
  process.stdout.write(`${tables}\n`)
  if (values.write) {
    const page = await readFile(PAGE, 'utf8')
    const section = /(<!-- results: begin -->)[^]*(<!-- results: end -->)/
    const updated = page.replace(section, (_, begin, end) => `${begin}\n\n${tables}\n\n${end}`)
    await writeFile(PAGE, updated)
  }
})
