import { ALL_READS, PUBLIC_READS, type Read, type ReadResult, uncachedVariant } from './hot-reads.ts'
import type { ScaleResult } from './scale.ts'
import type { Figures } from './scenarios.ts'

/** Teams of each scale; about five members a team, three approved submissions a team, 200 challenges. */
export const SCALES = { S: 100, M: 10_000, L: 1_000_000 } as const
export type Scale = keyof typeof SCALES

/** All that one run found out: what `bench/results/*.json` holds. */
export interface Results {
  date: string
  machine: { cpu: string; cores: number; gigabytes: number; node: string; postgres: string }
  /** Of the machine when the run began and ended: how many processes wanted a core. */
  load: [number, number]
  commit: string
  scales: Scale[]
  /** The scale that everything is measured on but what compares scales. */
  main: Scale
  rounds: number
  seconds: number
  minutes: number
  reads: ReadResult[]
  scale: Partial<Record<Scale, ScaleResult>>
  figures: Figures
}

/** A goal of docs/performance.md, and how near this run came. */
type Goal = [
  id: string,
  what: string,
  threshold: { most: number } | { least: number },
  /** What was measured, by what it was measured on; NaN where this run did not. */
  figures: Figures,
  unit: string,
]

function readGoals({ reads, scales, main }: Results): Goal[] {
  // A read of which an answer was refused is void.
  const cpu = ({ name }: Read, variant: string) =>
    reads.find((one) => one.read === name && one.variant === variant && one.refused === 0)?.cpuMicros ?? Number.NaN
  const bare = (read: Read) => {
    const flat = cpu(read, 'http-flat')
    return Math.min(cpu(read, 'http-raw'), Number.isNaN(flat) ? Infinity : flat)
  }
  const each = (of: Read[], figure: (read: Read) => number): Figures =>
    Object.fromEntries(of.map((read) => [read.name, figure(read)]))
  const beside = (read: Read) => cpu(read, uncachedVariant(read)) / bare(read)
  const [smallest = main, largest = main] = [scales[0], scales.at(-1)]
  const at = (read: Read, scale: Scale) => cpu(read, scale === main ? uncachedVariant(read) : `product at ${scale}`)
  const growth = (read: Read) => (largest === smallest ? Number.NaN : at(read, largest) / at(read, smallest))
  const dashboard = ALL_READS.filter((read) => !read.isPublic)
  return [
    [
      'G3',
      'public reads without the response cache, CPU against BARE',
      { most: 1.35 },
      each(PUBLIC_READS, beside),
      'x',
    ],
    ['G3', 'dashboard, CPU against BARE', { most: 1.6 }, each(dashboard, beside), 'x'],
    ['G8', `lists at ${largest} against ${smallest}, CPU`, { most: 1.5 }, each(PUBLIC_READS, growth), 'x'],
    ['G8', `dashboard at ${largest} against ${smallest}, CPU`, { most: 2 }, each(dashboard, growth), 'x'],
  ]
}

function scaleGoals({ scale, scales }: Results): Goal[] {
  const largest = scales.at(-1) ?? 'S'
  const time = (name: string) => scale[largest]?.[name] ?? Number.NaN
  const trips = (...names: string[]): Figures =>
    Object.fromEntries(names.map((name) => [name, time(name) / time('select 1')]))
  const searches = trips('works search, no match', 'works search, rare', 'works search, common')
  const deep = { teams: time('teams, deep page') / time('teams, page 1') }
  const where = `at ${largest}, against \`select 1\` on the same connection`
  return [
    ['G9', `rank of a team, ${where}`, { most: 4 }, trips('rank of a team'), 'x'],
    [
      'G9',
      `admin figures and their trends of 60 days, ${where}`,
      { most: 3 },
      trips('admin figures', 'admin trends'),
      'x',
    ],
    ['G9', `admin charts by week and score, ${where}`, { most: 10 }, trips('admin weeks and scores'), 'x'],
    ['G9', `a list's total, ${where}`, { most: 2.5 }, trips('totals'), 'x'],
    ['G9', `deep page by cursor against page 1, at ${largest}`, { most: 1.2 }, deep, 'x'],
    ['G10', `works searches, ${where}`, { most: 30 }, searches, 'x'],
  ]
}

function otherGoals({ figures }: Results): Goal[] {
  const of = (...names: string[]): Figures =>
    Object.fromEntries(names.map((name) => [name, figures[name] ?? Number.NaN]))
  const joins = of('joins of many teams, ratio', 'joins of one team, ratio')
  const changes = of('leaderboard with changes, ratio')
  return [
    ['G11', 'joins, against two statements behind bare HTTP', { least: 0.5 }, joins, 'x'],
    ['G12', 'read p50 while 16 people sign in, against idle', { most: 3 }, of('read while 16 sign in, ratio'), 'x'],
    [
      'G18',
      'the leaderboard during ten changes a second, requests a second against none',
      { least: 0.85 },
      changes,
      'x',
    ],
    [
      'G19',
      'approvals by 16 at once, against a plain UPDATE behind bare HTTP',
      { least: 0.25 },
      of('approvals, ratio'),
      'x',
    ],
    ['G19', 'deadlocks meanwhile', { most: 0 }, of('deadlocks meanwhile'), ''],
    ['G13', 'CPU of a start until the first answer from the database', { most: 250 }, of('CPU until then, ms'), ' ms'],
    ['G16', 'first script by brotli, against react-dom alone', { most: 1.6 }, of('first script, to react-dom'), 'x'],
    ['G16', 'first chunks of the admin area', { most: 0 }, of('first chunks of the admin area'), ''],
    ['G17', 'landing data by brotli', { most: 15 }, of('landing data by brotli, kB'), ' kB'],
  ]
}

/** A Markdown table; numbers to the right. */
function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const rules = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  return [line(head), line(rules), ...rows.map(line)].join('\n')
}

/** Three figures are enough. */
const short = (figure: number | null | undefined): string | number => {
  if (figure === null) return 'given up'
  if (figure === undefined || !Number.isFinite(figure)) return '–'
  return Number(figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3))
}

function verdictOf([, , threshold, figures]: Goal): 'yes' | 'no' | 'not measured' {
  const values = Object.values(figures)
  if (!values.every(Number.isFinite)) return 'not measured'
  const isMet = (value: number) => ('most' in threshold ? value <= threshold.most : value >= threshold.least)
  return values.every(isMet) ? 'yes' : 'no'
}

function goalRow(goal: Goal): string[] {
  const [id, what, threshold, figures, unit] = goal
  const measured = Object.entries(figures).map(([name, value]) => `${name} ${short(value)}${unit}`)
  const limit = 'most' in threshold ? `<= ${threshold.most}` : `>= ${threshold.least}`
  return [id, what, `${limit}${unit}`, measured.join('; '), verdictOf(goal)]
}

/** The results section of docs/performance.md. */
export function tablesOf(results: Results): string {
  const { machine, load, scale, scales, main, rounds, seconds, reads, figures } = results
  const goals = [...readGoals(results), ...scaleGoals(results), ...otherGoals(results)]
  const met = goals.filter((goal) => verdictOf(goal) === 'yes').length
  const timed = new Set(scales.flatMap((name) => Object.keys(scale[name] ?? {})))
  const readRows = reads.map((one) => [
    one.read,
    one.variant,
    ...[one.cpuMicros, one.perSecond, one.p50, one.p99, one.bytes / 1000, one.refused].map(short),
  ])
  return `Run of ${results.date.slice(0, 16).replace('T', ' ')} UTC at ${results.commit}: ${machine.cores} cores of ${machine.cpu}, ${machine.gigabytes} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}.
Load average ${load.map((one) => one.toFixed(1)).join(' before and ')} after. Scales ${scales.join(', ')}, measured at ${main}; ${rounds} rounds of ${seconds} s; ${results.minutes.toFixed(1)} minutes.

${met} of ${goals.length} goals met.

${table(['', 'goal', 'threshold', 'measured', 'met'], goals.map(goalRow))}

### Programs

${table(
  ['figure', 'value'],
  Object.entries(figures).map(([name, value]) => [name, short(value)]),
)}

### Reads

CPU is of the server and PostgreSQL together, the least of the rounds; the rest are medians of the rounds.

${table(['read', 'by', 'CPU µs', 'requests/s', 'p50 ms', 'p99 ms', 'kB', 'refused'], readRows)}

### Scale

${table(
  ['read, on one connection', ...scales.map((name) => `${name}, ms`)],
  [...timed].map((name) => [name, ...scales.map((one) => short(scale[one]?.[name]))]),
)}`
}
