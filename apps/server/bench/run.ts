// `pnpm bench [--scales S,M] [--rounds 5] [--seconds 1]`: what the product costs beside the bare programs of the same run.
// Ratios count; absolute times belong to the machine. Writes bench/results/<date>.json and prints the tables of docs/performance.md.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import postgres from 'postgres'
import { measureBesideSignIns } from './beside-sign-ins.ts'
import { measureChanges } from './changes.ts'
import { prepare } from './driver.ts'
import {
  type ReadScenario,
  callOf,
  checkSameAnswers,
  isCached,
  uncachedVariant,
  measureReads,
  READS,
  type Read,
} from './hot-reads.ts'
import { measureJoins } from './joins.ts'
import { residentMegabytes } from './processor-time.ts'
import { type Bundle, buildPrograms, type Program, startBare, startProduct } from './programs.ts'
import type { Results, Scale } from './results.ts'
import { SCALES } from './results.ts'
import { measureScale, type ScaleResult } from './scale.ts'
import { type Seeded, seed } from './seed.ts'
import { measureFirstLoad, measureLandingData } from './shipped-bytes.ts'
import { measureStarts } from './starts.ts'
import { tablesOf } from './results-as-tables.ts'
import { measureVerdicts } from './verdicts.ts'

const { values } = parseArgs({
  options: {
    scales: { type: 'string', default: 'S,M' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
})
const isScale = (name: string): name is Scale => name in SCALES
const scales = values.scales.split(',').filter(isScale)
const [small] = scales
if (!small) throw new Error('--scales takes S, M and L, such as --scales S,M')
const main = scales.includes('M') ? 'M' : small
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

const began = Date.now()
const say = (text: string) =>
  process.stderr.write(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)

interface Data {
  databaseUrl: string
  seeded: Seeded
}

async function dataOf(cluster: postgres.Sql, clusterUrl: string, scale: Scale): Promise<Data> {
  const name = `bench_${scale.toLowerCase()}`
  await cluster`create database ${cluster(name)}`
  const databaseUrl = clusterUrl.replace(/[^/]+$/, name)
  await migrate(databaseUrl)
  return { databaseUrl, seeded: await seed(databaseUrl, SCALES[scale]) }
}

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
  const before = os.loadavg()[0] ?? 0
  say('building')
  await buildPrograms()
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} })
  const data = new Map<Scale, Data>()
  for (const scale of scales) {
    say(`seeding ${scale}: ${SCALES[scale]} teams`)
    data.set(scale, await dataOf(sql, cluster.url, scale))
  }
  const dataAt = (scale: Scale): Data => data.get(scale) ?? { databaseUrl: '', seeded: {} as Seeded }
  const { databaseUrl, seeded } = dataAt(main)

  let folder = 0
  const productOn = (scale: Scale, name = 'product', bundle: Bundle = 'as shipped') =>
    startProduct({
      name,
      databaseUrl: dataAt(scale).databaseUrl,
      dataDir: path.join(dir, `data-${folder++}`),
      bundle,
    })

  say('starts')
  const start = await measureStarts(() => productOn(main), rounds + 2)

  const product = await started(productOn(main))
  const notCached = await started(productOn(main, 'product, not cached', 'not cached'))
  const raw = await started(startBare('raw', databaseUrl))
  const flat = await started(startBare('flat', databaseUrl))
  say('comparing answers')
  await checkSameAnswers(product, [raw, flat], seeded)

  const reads = Object.keys(READS) as Read[]
  const cells: ReadScenario[] = reads.flatMap((read) => {
    const row = { call: READS[read], request: prepare(callOf(read, seeded)) }
    return [
      { ...row, variant: 'product', program: product },
      { ...row, variant: 'http-raw', program: raw },
      { ...row, variant: 'http-flat', program: flat },
      ...(isCached(read) ? [{ ...row, variant: uncachedVariant(read), program: notCached }] : []),
    ]
  })
  for (const scale of scales.filter((scale) => scale !== main)) {
    const program = await started(productOn(scale, `product at ${scale}`, 'not cached'))
    for (const read of reads) {
      const request = prepare(callOf(read, dataAt(scale).seeded))
      cells.push({ call: READS[read], request, variant: program.name, program })
    }
  }
  say(`reads: ${cells.length} cells, ${rounds} rounds of ${seconds} s`)
  const measured = await measureReads(cells, { rounds, seconds, postmaster: cluster.pid })

  say('scale')
  const scale: Partial<Record<Scale, ScaleResult>> = {}
  for (const [name, of] of data) scale[name] = await measureScale(of.databaseUrl, of.seeded, SCALES[name])
  const landing = await measureLandingData(product)

  say('changes')
  const changes = await measureChanges(product, { databaseUrl, rounds, seconds })
  say('joins')
  const joins = await measureJoins(product, flat, { databaseUrl, seeded, rounds, seconds })
  say('verdicts')
  const verdicts = await measureVerdicts(product, flat, { databaseUrl, seeded, rounds, seconds })
  say('reads beside sign-ins')
  const besideSignIns = await measureBesideSignIns(product, { databaseUrl, rounds, seconds: seconds * 2 })
  const resident = residentMegabytes(product.pid)

  const [version] = await sql<{ server_version: string }[]>`show server_version`
  await sql.end()
  const results: Results = {
    date: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model ?? '',
      cores: os.availableParallelism(),
      gigabytes: Math.round(os.totalmem() / 2 ** 30),
      node: process.version,
      postgres: version?.server_version ?? '',
    },
    load: [before, os.loadavg()[0] ?? 0],
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    scales,
    main,
    rounds,
    seconds,
    minutes: (Date.now() - began) / 60_000,
    reads: measured,
    scale,
    changes,
    joins,
    besideSignIns,
    verdicts,
    start,
    resident,
    firstLoad: await measureFirstLoad(),
    landing,
  }
  const folderOfResults = fileURLToPath(new URL('results', import.meta.url))
  await mkdir(folderOfResults, { recursive: true })
  const file = path.join(folderOfResults, `${results.date.replaceAll(/[:.]/g, '-')}.json`)
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  say(`written to ${path.relative(process.cwd(), file)}`)
  process.stdout.write(`${tablesOf(results)}\n`)
} finally {
  for (const program of programs) await program.stop()
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
