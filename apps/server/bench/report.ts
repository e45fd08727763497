import type { Figures } from './driver.ts'
import { DASHBOARD, LISTS, type ReadResult } from './hot-reads.ts'
import type { Scale } from './seed.ts'

/** All that one run measured. */
export interface Results {
  /** Lines that say when, where and how the run took place. */
  about: string[]
  /** Milliseconds of each use case on one connection. */
  scales: Partial<Record<Scale, Figures>>
  reads: ReadResult[]
  figures: Figures
}

/** The names of ratios that goals limit. */
export const againstBare = (read: string) => `${read}: to BARE`
export const growth = (read: string) => `${read}: growth`
export const roundTrips = (name: string) => `${name}: round trips`
export const DEEP_PAGE = 'teams: deep page to page 1'

type Goal = [id: string, what: string, limit: `${'<=' | '>='} ${string}`, figures: string[]]

const lists = LISTS.map(({ name }) => name)
const searches = [
  'works search, no match',
  'works search, rare',
  'works search, all challenges',
  'works search, all teams',
  'teams search, all teams',
]
const joins = ['joins/s of many teams, ratio', 'joins/s of one team, ratio']
const GOALS: Goal[] = [
  ['G3', 'lists without the response cache, CPU against BARE', '<= 1.35x', lists.map(againstBare)],
  ['G3', 'dashboard, CPU against BARE', '<= 1.6x', [againstBare(DASHBOARD.name)]],
  ['G8', 'lists at the largest scale against the smallest, CPU', '<= 1.5x', lists.map(growth)],
  ['G8', 'dashboard, the same', '<= 2x', [growth(DASHBOARD.name)]],
  ['G9', 'rank of a team, against `select 1` on the same connection', '<= 4x', [roundTrips('rank of a team')]],
  ['G9', 'admin figures and trends, the same', '<= 3x', ['admin figures', 'admin trends'].map(roundTrips)],
  ['G9', 'admin charts by week and score, the same', '<= 10x', [roundTrips('admin weeks and scores')]],
  ['G9', 'the total of a list, the same', '<= 2.5x', [roundTrips('totals')]],
  ['G9', 'deep page by cursor against page 1', '<= 1.2x', [DEEP_PAGE]],
  ['G10', 'searches, against `select 1` on the same connection', '<= 30x', searches.map(roundTrips)],
  ['G11', 'joins, against two statements behind bare HTTP', '>= 0.5x', joins],
  ['G12', 'read p50 while 16 sign in, against idle', '<= 3x', ['read p50 while 16 sign in, ms, ratio']],
  ['G13', 'CPU of a start until the first response from the database', '<= 250 ms', ['CPU of a start, ms']],
  ['G16', 'first script by brotli, against react-dom alone', '<= 1.6x', ['first script, ratio']],
  ['G16', 'first chunks of the admin area', '<= 0', ['first chunks of the admin area']],
  ['G17', 'landing data by brotli', '<= 15 kB', ['landing data by brotli, kB']],
  ['G18', 'leaderboard/s with 10 changes/s, against none', '>= 0.85x', ['leaderboard/s with 10 changes/s, ratio']],
  ['G19', 'approvals by 16 at once, against an UPDATE behind bare HTTP', '>= 0.25x', ['approvals/s, ratio']],
  ['G19', 'deadlocks meanwhile', '<= 0', ['deadlocks meanwhile']],
]

/** Three significant digits; a dash if nothing was measured or the database timed out. */
function formatFigure(figure = Number.NaN): string | number {
  if (!Number.isFinite(figure)) return '–'
  return Number(figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3))
}

/** A Markdown table with columns of numbers aligned to the right. */
export function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const rules = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  return [line(head), line(rules), ...rows.map(line)].join('\n')
}

function goalRow([id, what, limit, names]: Goal, figures: Figures): string[] {
  const [, sign, value, unit = ''] = /^([<>]=) ([\d.]+)(.*)$/.exec(limit) ?? []
  const values = names.map((name) => figures[name] ?? Number.NaN)
  const isMet = (found: number) => (sign === '<=' ? found <= Number(value) : found >= Number(value))
  const state = !values.every(Number.isFinite) ? 'not measured' : values.every(isMet) ? 'yes' : 'no'
  const measured = names.map((name, index) => `${name} ${formatFigure(values[index])}${unit}`.replace(`–${unit}`, '–'))
  return [id, what, limit, measured.join('; '), state]
}

/** The results section of docs/performance.md. */
export function tablesOf({ about, scales, reads, figures }: Results): string {
  const goals = GOALS.map((goal) => goalRow(goal, figures))
  const steps = new Set(Object.values(scales).flatMap((found) => Object.keys(found)))
  const ofGoals = new Set(GOALS.flatMap(([, , , names]) => names))
  const others = Object.entries(figures).filter(([name]) => !ofGoals.has(name))
  return `${about.join('\n')}

${goals.filter((row) => row.at(-1) === 'yes').length} of ${goals.length} goals met.

${table(['', 'goal', 'limit', 'measured', 'met'], goals)}

### Reads

CPU is of the server and PostgreSQL together, the least of the rounds; requests per second are the median of the rounds.

${table(
  ['read', 'by', 'CPU µs', 'requests/s', 'kB'],
  reads.map((row) => [row.read, row.by, ...[row.cpuMicros, row.perSecond, row.kilobytes].map(formatFigure)]),
)}

### One connection

${table(
  ['use case', ...Object.keys(scales).map((scale) => `${scale}, ms`)],
  [...steps].map((step) => [step, ...Object.values(scales).map((found) => formatFigure(found[step]))]),
)}

### Other figures

${table(
  ['figure', 'value'],
  others.map(([name, value]) => [name, formatFigure(value)]),
)}`
}
