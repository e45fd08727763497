import { uncachedVariant, PUBLIC, READS, type Read } from './hot-reads.ts'
import { cell, type Results } from './results.ts'

/** A goal of docs/performance.md, and how near this run came. */
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

type Figures = Goal['figures']

function goal(id: string, what: string, sign: '<=' | '>=', limit: number, figures: Figures, unit = 'x'): Goal {
  const isMeasured = figures.length > 0 && figures.every(([, figure]) => Number.isFinite(figure))
  const isMet = figures.every(([, figure]) => (sign === '<=' ? figure <= limit : figure >= limit))
  return { id, what, threshold: `${sign} ${limit}${unit}`, figures, unit, isMet: isMeasured ? isMet : null }
}

function readGoals(results: Results): Goal[] {
  const cpu = (read: Read, variant: string) => cell(results, READS[read], variant)?.cpuMicros ?? Number.NaN
  const bare = (read: Read) => Math.min(cpu(read, 'http-raw'), cpu(read, 'http-flat'))
  const each = (reads: readonly Read[], figure: (read: Read) => number): Figures =>
    reads.map((read) => [READS[read], figure(read)])
  const beside = (read: Read) => cpu(read, uncachedVariant(read)) / bare(read)
  const largest = results.scales.at(-1) ?? 'S'
  const smallest = results.scales[0] ?? 'S'
  const at = (read: Read, scale: string) =>
    cpu(read, scale === results.main ? uncachedVariant(read) : `product at ${scale}`)
  const growth = (read: Read) => (largest === smallest ? Number.NaN : at(read, largest) / at(read, smallest))
  return [
    goal('G3', 'public reads without the response cache, CPU against BARE', '<=', 1.35, each(PUBLIC, beside)),
    goal('G3', 'dashboard, CPU against BARE', '<=', 1.6, each(['dashboard'], beside)),
    goal('G8', `lists at ${largest} against ${smallest}, CPU`, '<=', 1.5, each(PUBLIC, growth)),
    goal('G8', `dashboard at ${largest} against ${smallest}, CPU`, '<=', 2, each(['dashboard'], growth)),
  ]
}

function scaleGoals({ scale, scales }: Results): Goal[] {
  const largest = scales.at(-1) ?? 'S'
  const time = (name: string) => scale[largest]?.[name] ?? Number.NaN
  const trips = (...names: string[]): Figures => names.map((name) => [name, time(name) / time('select 1')])
  const where = `at ${largest}, against \`select 1\` on the same connection`
  return [
    goal('G9', `rank of a team, ${where}`, '<=', 4, trips('rank of a team')),
    goal('G9', `admin figures and their trends of 60 days, ${where}`, '<=', 3, trips('admin figures', 'admin trends')),
    goal('G9', `admin charts by week and score, ${where}`, '<=', 10, trips('admin weeks and scores')),
    goal('G9', `a list's total, ${where}`, '<=', 2.5, trips('totals')),
    goal('G9', `deep page by cursor against page 1, at ${largest}`, '<=', 1.2, [
      ['teams', time('teams, deep page') / time('teams, page 1')],
    ]),
    goal(
      'G10',
      `works searches, ${where}`,
      '<=',
      30,
      trips('works search, no match', 'works search, rare', 'works search, common'),
    ),
  ]
}

function writeGoals({ changes, joins, besideSignIns, verdicts }: Results): Goal[] {
  return [
    goal('G11', 'joins, against two statements behind bare HTTP', '>=', 0.5, [
      ['of many teams', joins.spread.ratio],
      ['of one team', joins.hot.ratio],
    ]),
    goal('G12', 'read p50 while 16 people sign in, against idle', '<=', 3, [['leaderboard', besideSignIns.ratio]]),
    goal('G18', 'the leaderboard during ten changes a second, requests a second against none', '>=', 0.85, [
      ['leaderboard', changes.ratio],
    ]),
    goal('G19', 'approvals by 16 at once, against a plain UPDATE behind bare HTTP', '>=', 0.25, [
      ['approvals/s', verdicts.ratio],
    ]),
    goal('G19', 'deadlocks meanwhile', '<=', 0, [['deadlocks', verdicts.deadlocks]], ''),
  ]
}

function shippedGoals({ start, firstLoad, landing }: Results): Goal[] {
  const landingBytes = Object.values(landing).reduce((sum, { brotli }) => sum + brotli, 0)
  return [
    goal('G13', 'CPU of a start until the first answer from the database', '<=', 250, [['CPU', start.cpu]], ' ms'),
    goal('G16', 'first script by brotli, against react-dom alone', '<=', 1.6, [
      ['script', firstLoad.script / firstLoad.reactDom],
    ]),
    goal('G16', 'first chunks of the admin area', '<=', 0, [['chunks', firstLoad.adminChunks.length]], ''),
    goal('G17', 'landing data by brotli', '<=', 15, [['together', landingBytes / 1000]], ' kB'),
  ]
}

/** Every goal of docs/performance.md, judged by one run. */
export const goalsOf = (results: Results): Goal[] => [
  ...readGoals(results),
  ...scaleGoals(results),
  ...writeGoals(results),
  ...shippedGoals(results),
]
