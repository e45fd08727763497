import { madeAnew, PUBLIC, READS, type Read } from './hot-reads.ts'
import { cell, type Results } from './results.ts'

/** A goal, and how near this run came. */
export interface Goal {
  id: string
  what: string
  threshold: string
  /** What was measured, by what it was measured on; NaN where this run did not. */
  figures: [label: string, figure: number][]
  unit: string
  /** Null where a figure is missing. */
  isMet: boolean | null
}

type Figures = [string, number][]

function judged(id: string, what: string, sign: '<=' | '>=', limit: number, figures: Figures, unit = 'x'): Goal {
  const isMeasured = figures.length > 0 && figures.every(([, figure]) => Number.isFinite(figure))
  const isWithin = ([, figure]: [string, number]) => (sign === '<=' ? figure <= limit : figure >= limit)
  return {
    id,
    what,
    threshold: `${sign} ${limit}${unit}`,
    figures,
    unit,
    isMet: isMeasured ? figures.every(isWithin) : null,
  }
}
const atMost = (id: string, what: string, limit: number, figures: Figures, unit?: string) =>
  judged(id, what, '<=', limit, figures, unit)
const atLeast = (id: string, what: string, limit: number, figures: Figures, unit?: string) =>
  judged(id, what, '>=', limit, figures, unit)

const HOT: Read[] = ['leaderboard', 'challenges', 'works', 'dashboard']

function readGoals(results: Results): Goal[] {
  const find = (read: Read, variant: string, connections?: number) => cell(results, READS[read], variant, connections)
  const cpu = (read: Read, variant: string) => find(read, variant)?.cpuMicros ?? Number.NaN
  const anew = (read: Read) => cpu(read, madeAnew(read))
  const bare = (read: Read) => Math.min(cpu(read, 'http-raw'), cpu(read, 'http-flat'))
  const each = (reads: readonly Read[], figure: (read: Read) => number): Figures =>
    reads.map((read) => [READS[read], figure(read)])
  const perSecond = (read: Read, variant: string) => find(read, variant)?.perSecond ?? Number.NaN
  const ofCell = (call: string, variant: string) => cell(results, call, variant)?.cpuMicros ?? Number.NaN
  const doors: Read[] = ['leaderboard', 'works', 'dashboard']
  const bare1 = (read: Read) => (find(read, 'product', 1)?.p50 ?? Number.NaN) / (find(read, 'http-raw', 1)?.p50 ?? 0)
  const tail = (read: Read) => (find(read, 'product')?.p99 ?? Number.NaN) / (find(read, 'http-raw')?.p99 ?? 0)
  const largest = results.scales.at(-1) ?? 'S'
  const smallest = results.scales[0] ?? 'S'
  const at = (read: Read, scale: string) => cpu(read, scale === results.main ? madeAnew(read) : `product at ${scale}`)
  const growth = (read: Read) => (largest === smallest ? Number.NaN : at(read, largest) / at(read, smallest))
  return [
    atMost(
      'G1',
      'public reads, CPU against the same bytes sent by a bare server',
      1.5,
      each(PUBLIC, (read) => cpu(read, 'product') / cpu(read, 'static')),
    ),
    atLeast(
      'G1b',
      'the same, requests a second',
      0.75,
      each(PUBLIC, (read) => perSecond(read, 'product') / perSecond(read, 'static')),
    ),
    atMost('G2', '304 of the page, CPU against a bare `ok`', 1.5, [
      ['the page', ofCell('the page, 304', 'product') / ofCell('the page, 304', 'static')],
    ]),
    atMost(
      'G3',
      'hot reads, CPU against the cheaper bare program',
      1.35,
      each(HOT, (read) => anew(read) / bare(read)),
    ),
    atMost(
      'G4',
      'other lists, CPU against the cheaper bare program',
      1.6,
      each(['cards'], (read) => anew(read) / bare(read)),
    ),
    atMost(
      'G5',
      'teams page with members, made anew, CPU against the cheaper bare program',
      0.25,
      each(['teams'], (read) => anew(read) / bare(read)),
    ),
    atMost(
      'G6',
      'tRPC against REST, CPU of one procedure',
      1.15,
      each(doors, (read) => cpu(read, 'tRPC') / cpu(read, 'product')),
    ),
    atMost(
      'G7',
      'with output schemas against without, CPU',
      1.1,
      each([...HOT, 'teams'], (read) => anew(read) / cpu(read, 'without output schemas')),
    ),
    atMost(`G8`, `lists at ${largest} against ${smallest}, CPU`, 1.5, each([...PUBLIC, 'teams'], growth)),
    atMost(`G8`, `dashboard at ${largest} against ${smallest}, CPU`, 2, each(['dashboard'], growth)),
    atMost('latency', 'one connection, p50 against http-raw', 1.5, each(['leaderboard', 'dashboard'], bare1)),
    atMost('latency', '16 connections, p99 against http-raw', 1.5, each(['leaderboard', 'dashboard'], tail)),
  ]
}

function scaleGoals({ scale, scales }: Results): Goal[] {
  const largest = scales.at(-1) ?? 'S'
  const found = scale[largest] ?? {}
  const time = (name: string) => found[name] ?? Number.NaN
  const trips = (name: string): Figures => [[name, time(name) / time('select 1')]]
  const where = `at ${largest}, against \`select 1\` on the same connection`
  return [
    atMost('G9', `rank of a team, ${where}`, 4, trips('rank of a team')),
    atMost('G9', `admin figures, and their trends of 60 days, ${where}`, 2, [
      ...trips('admin figures'),
      ...trips('admin trends'),
    ]),
    atMost('G9', `a list's total, ${where}`, 2.5, trips('totals')),
    atMost('G9', `deep page by cursor against page 1, at ${largest}`, 1.2, [
      ['teams', time('teams, deep page') / time('teams, page 1')],
    ]),
    atMost('G10', `works search without a match, ${where}`, 3, trips('works search, no match')),
    atMost('G10', `works search of a rare word, ${where}`, 10, trips('works search, rare')),
    atMost('G10', `works search of a common word, ${where}`, 25, trips('works search, common')),
  ]
}

function writeGoals({ changes, joins, besideSignIns, verdicts }: Results): Goal[] {
  return [
    atLeast('G18', 'the leaderboard while ten changes a second are committed, requests a second against none', 0.85, [
      ['leaderboard', changes.ratio],
    ]),
    atLeast('G11', 'joins of many teams, against one statement behind bare HTTP', 0.7, [
      ['joins/s', joins.spread.ratio],
    ]),
    atLeast('G11', 'joins of one hot team, against the same', 0.8, [['joins/s', joins.hot.ratio]]),
    atLeast(
      'G11',
      `of ${joins.races} races of 64 for 10 seats, filled exactly`,
      joins.races,
      [['races', joins.exact]],
      '',
    ),
    atMost('G12', 'read p50 while 16 sign in, against idle', 1.1, [['leaderboard', besideSignIns.p50]]),
    atMost('G12', 'read p99 while 16 sign in, against idle', 1.5, [['leaderboard', besideSignIns.p99]]),
    atLeast('G12', 'sign-ins a second, against a bare program that hashes without a limit', 0.8, [
      ['sign-ins', besideSignIns.signIns],
    ]),
    atLeast('G19', 'approvals by 16 at once, against a plain UPDATE behind bare HTTP', 0.25, [
      ['verdicts/s', verdicts.ratio],
    ]),
    atMost('G19', 'deadlocks meanwhile', 0, [['deadlocks', verdicts.deadlocks]], ''),
  ]
}

function shippedGoals(results: Results): Goal[] {
  const { starts, resident, firstLoad, landing } = results
  const ratio = (of: (start: { wall: number; cpu: number; megabytes: number }) => number) =>
    starts.product && starts.bare ? of(starts.product) / of(starts.bare) : Number.NaN
  const ofCell = (variant: string) => cell(results, 'largest script, brotli', variant)?.cpuMicros ?? Number.NaN
  const landingBytes = Object.values(landing).reduce((sum, { brotli }) => sum + brotli, 0)
  return [
    atMost('G13', 'start to first answer out of the database, against bare', 1.75, [
      ['wall', ratio(({ wall }) => wall)],
    ]),
    atMost('G13', 'the same, CPU', 2, [['CPU', ratio(({ cpu }) => cpu)]]),
    atMost('G13', 'memory then', 1.6, [['RSS', ratio(({ megabytes }) => megabytes)]]),
    atMost('G14', 'memory after the whole load, against http-flat', 1.4, [
      ['RSS', (resident.product ?? Number.NaN) / (resident['http-flat'] ?? Number.NaN)],
    ]),
    atMost('G15', 'a script of the page, CPU against a Map of brotli buffers', 1.5, [
      ['script', ofCell('product') / ofCell('static')],
    ]),
    atMost('G16', 'first script by brotli, against react-dom alone', 1.6, [
      ['script', firstLoad.script / firstLoad.reactDom],
    ]),
    atMost('G16', 'first chunks of the admin area', 0, [['chunks', firstLoad.adminChunks.length]], ''),
    atMost('G17', 'landing data by brotli', 15, [['together', landingBytes / 1000]], ' kB'),
  ]
}

/** Every goal of the design that can be asked of the product as it stands, judged by one run. */
export const goalsOf = (results: Results): Goal[] => [
  ...readGoals(results),
  ...scaleGoals(results),
  ...writeGoals(results),
  ...shippedGoals(results),
]
