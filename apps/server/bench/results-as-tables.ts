import { type Goal, goalsOf } from './goals.ts'
import type { Results } from './results.ts'

type Row = (string | number)[]

/** A Markdown table; numbers to the right. */
function table(head: string[], rows: Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  const rules = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  return [line(head), line(rules), ...rows.map(line)].join('\n')
}

/** Three figures are enough. */
const short = (figure: number): number =>
  Number.isFinite(figure) ? Number(figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3)) : figure

const VERDICT = { true: 'yes', false: 'no', null: 'not measured' } as const

const figuresOf = ({ figures, unit }: Goal): string =>
  figures.map(([label, figure]) => `${label} ${Number.isFinite(figure) ? `${short(figure)}${unit}` : '–'}`).join('; ')

const goalTable = (results: Results): string =>
  table(
    ['', 'goal', 'threshold', 'measured', 'met'],
    goalsOf(results).map((goal) => [
      goal.id,
      goal.what,
      goal.threshold,
      figuresOf(goal),
      VERDICT[String(goal.isMet) as keyof typeof VERDICT],
    ]),
  )

const readTable = ({ reads: cells }: Results): string =>
  table(
    ['read', 'by', 'CPU µs', 'requests/s', 'p50 ms', 'p99 ms', 'kB', 'refused'],
    cells.map((one) => [
      one.call,
      one.variant,
      short(one.cpuMicros),
      Math.round(one.perSecond),
      short(one.p50),
      short(one.p99),
      short(one.bytes / 1000),
      one.refused,
    ]),
  )

function scaleTable({ scale, scales }: Results): string {
  const names = Object.keys(scale[scales[0] ?? 'S'] ?? {})
  const more = scales.flatMap((name) => Object.keys(scale[name] ?? {})).filter((name) => !names.includes(name))
  const time = (value: number | null | undefined) =>
    value === undefined ? '–' : value === null ? 'given up' : short(value)
  return table(
    ['read, on one connection', ...scales.map((name) => `${name}, ms`)],
    [...names, ...new Set(more)].map((name) => [name, ...scales.map((one) => time(scale[one]?.[name]))]),
  )
}

function programTable({
  start,
  resident,
  changes,
  joins,
  verdicts,
  besideSignIns,
  landing,
  firstLoad,
}: Results): string {
  const ms = (times: { p50: number; p99: number }) => `${short(times.p50)} / ${short(times.p99)}`
  const landingBytes = Object.entries(landing).map(([name, of]) => `${name} ${short(of.brotli / 1000)}`)
  const rows: [string, string | number, string | number][] = [
    ['start to first answer, ms', short(start.wall), '–'],
    ['CPU until then, ms', short(start.cpu), '–'],
    ['memory then, and after the load, MB', `${short(start.megabytes)}, ${short(resident)}`, '–'],
    ['leaderboard/s, and with 10 changes/s', `${short(changes.quiet)} / ${short(changes.changing)}`, '–'],
    ['joins/s of many teams', short(joins.spread.product), short(joins.spread.bare)],
    ['joins/s of one team', short(joins.hot.product), short(joins.hot.bare)],
    ['approvals/s', short(verdicts.product), short(verdicts.bare)],
    ['read p50 / p99 idle, ms', ms(besideSignIns.idle), '–'],
    ['read p50 / p99 while 16 sign in, ms', ms(besideSignIns.busy), '–'],
    ['sign-ins/s meanwhile', short(besideSignIns.signInsPerSecond), '–'],
    ['first script by brotli, kB', short(firstLoad.script / 1000), `react-dom ${short(firstLoad.reactDom / 1000)}`],
    ['landing data by brotli, kB', landingBytes.join(', '), '–'],
  ]
  return table(['', 'product', 'bare'], rows)
}

/** The results section of docs/performance.md. */
export function tablesOf(results: Results): string {
  const { machine, load, scales, main, rounds, seconds } = results
  const goals = goalsOf(results)
  const met = goals.filter(({ isMet }) => isMet).length
  return `Run of ${results.date.slice(0, 16).replace('T', ' ')} UTC at ${results.commit}: ${machine.cores} cores of ${machine.cpu}, ${machine.gigabytes} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}.
Load average ${load.map((one) => one.toFixed(1)).join(' before and ')} after. Scales ${scales.join(', ')}, measured at ${main}; ${rounds} rounds of ${seconds} s; ${results.minutes.toFixed(1)} minutes.

${met} of ${goals.length} goals met.

${goalTable(results)}

### Programs

${programTable(results)}

### Reads

CPU is of the server and PostgreSQL together, the least of the rounds; the rest are medians of the rounds.

${readTable(results)}

### Scale

${scaleTable(results)}`
}
