// `pnpm bench [--scales S,M] [--rounds 5] [--seconds 1]`: what the product costs beside the bare programs of the same run.
// Ratios count; absolute times belong to the machine. Writes bench/results/<date>.json and prints the tables of docs/performance.md.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { residentMegabytes } from '@community/testing'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import postgres from 'postgres'
import { prepare } from './driver.ts'
import {
  ALL_READS,
  callOf,
  checkSameAnswers,
  measureReads,
  type Read,
  READS,
  type ReadScenario,
  uncachedVariant,
} from './hot-reads.ts'
import { buildPrograms, type Program, type ProductOptions, startBare, startProduct } from './programs.ts'
import { type Results, type Scale, SCALES, tablesOf } from './report.ts'
import { measureScale, type ScaleResult } from './scale.ts'
import { measureApprovals, measureBesideSignIns, measureChanges, measureJoins, type Setting } from './scenarios.ts'
import { type Seeded, seed } from './seed.ts'
import { measureFirstLoad, measureLandingData } from './shipped-bytes.ts'
import { measureStarts } from './starts.ts'

const { values } = parseArgs({
  options: {
    scales: { type: 'string', default: 'S,M' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
})
const scales = values.scales.split(',').filter((name): name is Scale => name in SCALES)
const [small] = scales
if (!small) throw new Error('--scales takes S, M and L, such as --scales S,M')
const main = scales.includes('M') ? 'M' : small
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

const began = Date.now()
const log = (text: string) =>
  process.stderr.write(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)

const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
const programs: Program[] = []
const started = async (program: Promise<Program>): Promise<Program> => {
  programs.push(await program)
  return program
}
const cluster = await startEmbeddedPostgres({
  dir,
  database: 'bench',
  flags: [`shared_buffers=${scales.includes('L') ? '4GB' : '512MB'}`, 'max_wal_size=4GB', 'random_page_cost=1.1'],
})
try {
  const loadBefore = os.loadavg()[0] ?? 0
  log('building')
  await buildPrograms()
  const admin = postgres(cluster.url, { max: 1, onnotice: () => {} })
  const urlOf = (scale: Scale) => cluster.url.replace(/[^/]+$/, `bench_${scale.toLowerCase()}`)
  const data = new Map<Scale, Seeded>()
  for (const scale of scales) {
    log(`seeding ${scale}: ${SCALES[scale]} teams`)
    await admin`create database ${admin(`bench_${scale.toLowerCase()}`)}`
    await migrate(urlOf(scale))
    data.set(scale, await seed(urlOf(scale), SCALES[scale]))
  }
  const seededAt = (scale: Scale): Seeded => data.get(scale) as Seeded
  const productOn = (scale: Scale, options: Partial<ProductOptions> = {}) =>
    startProduct({
      name: 'product',
      databaseUrl: urlOf(scale),
      dataDir: path.join(dir, crypto.randomUUID()),
      ...options,
    })

  log('starts')
  const starts = await measureStarts(() => productOn(main), rounds + 2)

  const product = await started(productOn(main))
  const notCached = await started(productOn(main, { bundle: 'not cached' }))
  const [raw, flat] = [await started(startBare('raw', urlOf(main))), await started(startBare('flat', urlOf(main)))]
  const flatReads: Read[] = [READS.leaderboard, READS.teams, READS.challenges]
  log('comparing answers')
  await checkSameAnswers(product, raw, ALL_READS, seededAt(main))
  await checkSameAnswers(product, flat, flatReads, seededAt(main))

  const scenarioOf = (read: Read, variant: string, program: Program, scale: Scale = main): ReadScenario => {
    return { read: read.name, variant, program, request: prepare(callOf(read, seededAt(scale))) }
  }
  const scenarios = ALL_READS.flatMap((read) => [
    scenarioOf(read, 'product', product),
    scenarioOf(read, 'http-raw', raw),
    ...(flatReads.includes(read) ? [scenarioOf(read, 'http-flat', flat)] : []),
    ...(read.isPublic ? [scenarioOf(read, uncachedVariant(read), notCached)] : []),
  ])
  for (const scale of scales.filter((one) => one !== main)) {
    const program = await started(productOn(scale, { bundle: 'not cached' }))
    scenarios.push(...ALL_READS.map((read) => scenarioOf(read, `product at ${scale}`, program, scale)))
  }
  log(`reads: ${scenarios.length} scenarios, ${rounds} rounds of ${seconds} s`)
  const reads = await measureReads(scenarios, { rounds, seconds, postmaster: cluster.pid })

  log('scale')
  const scale: Partial<Record<Scale, ScaleResult>> = {}
  for (const [name, seeded] of data) scale[name] = await measureScale(urlOf(name), seeded, SCALES[name])

  const sql = postgres(urlOf(main), { max: 1, onnotice: () => {} })
  const setting: Setting = { product, bare: flat, sql, seeded: seededAt(main), rounds, seconds }
  const figures = { ...starts, ...(await measureLandingData(product)), ...(await measureFirstLoad()) }
  for (const measure of [measureChanges, measureJoins, measureApprovals, measureBesideSignIns]) {
    log(measure.name)
    Object.assign(figures, await measure(setting))
  }
  figures['memory after the load, MB'] = residentMegabytes(product.pid)

  const [version] = await sql<{ server_version: string }[]>`show server_version`
  await Promise.all([sql.end(), admin.end()])
  const results: Results = {
    date: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model ?? '',
      cores: os.availableParallelism(),
      gigabytes: Math.round(os.totalmem() / 2 ** 30),
      node: process.version,
      postgres: version?.server_version ?? '',
    },
    load: [loadBefore, os.loadavg()[0] ?? 0],
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    scales,
    main,
    rounds,
    seconds,
    minutes: (Date.now() - began) / 60_000,
    reads,
    scale,
    figures,
  }
  const folder = path.join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `${results.date.replaceAll(/[:.]/g, '-')}.json`)
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  log(`written to ${path.relative(process.cwd(), file)}`)
  process.stdout.write(`${tablesOf(results)}\n`)
} finally {
  for (const program of programs) await program.stop()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
