import { clsx } from 'clsx'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { formatDate, formatNumber } from '../lib/format.ts'
import { listText, useT } from '../lib/i18n.ts'
import { roundTicks, type Step, spread, stairs, valueAt } from './line-chart-scale.ts'

const DAY_MS = 86_400_000
/** In units of the viewBox, which is stretched to the available width. */
const WIDTH = 1000
const HEIGHT_MIN = 240
const LABEL_HEIGHT = 22
const LEADER_WIDTH = 16
/** Heights are in px at a font size of 16 px and scale with it. */
const rem = (pixels: number): string => `${pixels / 16}rem`

const STROKES = ['stroke-primary', 'stroke-gold', 'stroke-ok', 'stroke-bad', 'stroke-ink-2', 'stroke-muted']
/** Twelve lines differ even without colours. */
const DASHES = ['', '9 4', '2 3', '12 3 2 3', '5 5', '16 5', '2 6', '8 3 2 3 2 3', '20 4 6 4', '4 2', '12 8', '1 2 6 2']

interface Look {
  className: string | undefined
  strokeDasharray: string | undefined
  strokeWidth: number
}

/** The stroke of each line. The first strong line gets the first, solid one. */
function looksOf(lines: readonly ChartLine[]): Look[] {
  const first = Math.max(
    0,
    lines.findIndex(({ isStrong }) => isStrong),
  )
  return lines.map(({ isStrong }, index) => {
    const look = index === first ? 0 : index < first ? index + 1 : index
    return {
      className: STROKES[look % STROKES.length],
      strokeDasharray: DASHES[look],
      strokeWidth: isStrong ? 3.5 : 2,
    }
  })
}

export interface ChartLine {
  id: string
  name: string
  /** Oldest first. */
  steps: readonly Step[]
  /** Emphasizes the line. */
  isStrong?: boolean
  /** Shown beside its name in the legend. */
  note?: ReactNode
}

export interface LineChartProps {
  /** The alternative text. */
  summary: string
  /** Twelve at most. */
  lines: readonly ChartLine[]
  /** Start of the first and the last day, in ms since the epoch, UTC. */
  from: number
  until: number
}

const dayText = (at: number): string => formatDate(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const fullDayText = (at: number): string =>
  formatDate(at, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/**
 * A step chart of values over days with a slider that shows all values of one day. Left to right in every language. Show a
 * `FiguresTable` of the values beside it.
 */
export function LineChart({ summary, lines, from, until }: LineChartProps) {
  const t = useT()
  const [chosen, setChosen] = useState<number | null>(null)
  const marked = Math.min(Math.max(chosen ?? until, from), until)
  const values = lines.map((line) => valueAt(line.steps, marked))
  const days = Math.round((until - from) / DAY_MS)
  const said = listText(lines.map(({ name }, index) => `${name} ${formatNumber(values[index] ?? 0)}`))
  return (
    <div>
      <Plot summary={summary} lines={lines} from={from} until={until} marked={marked} onMark={setChosen}>
        <input
          type="range"
          min={0}
          max={days}
          value={Math.round((marked - from) / DAY_MS)}
          onChange={(event) => setChosen(from + event.target.valueAsNumber * DAY_MS)}
          aria-label={t('Day')}
          aria-valuetext={`${t('{label}:', { label: fullDayText(marked) })} ${said}`}
          className="-mx-2 min-h-11 w-[calc(100%+1rem)] accent-primary"
        />
      </Plot>
      <Legend lines={lines} values={values} day={marked} />
    </div>
  )
}

interface PlotProps extends LineChartProps {
  marked: number
  onMark: (at: number) => void
  /** Shown under the axis. */
  children: ReactNode
}

function Plot({ summary, lines, from, until, marked, onMark, children }: PlotProps) {
  const ticks = roundTicks(Math.max(...lines.flatMap(({ steps }) => steps.map(({ value }) => value)), 0))
  const top = ticks.at(-1) ?? 1
  const height = Math.max(HEIGHT_MIN, lines.length * LABEL_HEIGHT)
  const looks = looksOf(lines)
  const x = (at: number) => ((at - from) / (until - from)) * WIDTH
  // Leaves room for half a stroke at both ends.
  const y = (value: number) => height - 2 - (value / top) * (height - 4)
  const markAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const along = (event.clientX - left) / width
    onMark(from + Math.round((along * (until - from)) / DAY_MS) * DAY_MS)
  }
  return (
    <div dir="ltr" className="grid grid-cols-[auto_minmax(0,1fr)_minmax(6rem,22%)]">
      <div aria-hidden="true" className="relative grid pe-2 text-xs text-muted">
        {ticks.map((tick) => (
          <span
            key={tick}
            style={{ top: rem(y(tick)) }}
            className="relative col-start-1 row-start-1 h-0 text-end leading-none -mt-1.5"
          >
            {formatNumber(tick)}
          </span>
        ))}
      </div>
      <div className="touch-pan-y" style={{ height: rem(height) }} onPointerMove={markAt} onPointerDown={markAt}>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          className="size-full overflow-visible fill-none *:[vector-effect:non-scaling-stroke]"
        >
          {ticks.map((tick) => (
            <path key={tick} d={`M0 ${y(tick)}H${WIDTH}`} className="stroke-line" />
          ))}
          <path d={`M${x(marked)} 0V${height}`} className="stroke-control" />
          {lines.map(({ id, steps }, index) => (
            <path key={id} d={stairs(steps, { x, y, end: until })} {...looks[index]} />
          ))}
          {lines.map(({ id, steps }, index) => (
            // A line without length has round ends: a dot that stays round when the viewBox is stretched.
            <path
              key={id}
              d={`M${x(marked)} ${y(valueAt(steps, marked))}h0`}
              strokeWidth={9}
              strokeLinecap="round"
              className={looks[index]?.className}
            />
          ))}
        </svg>
      </div>
      <EndLabels lines={lines} ends={lines.map(({ steps }) => y(steps.at(-1)?.value ?? 0))} height={height} />
      <div aria-hidden="true" className="col-start-2 grid grid-cols-3 pt-1.5 text-xs whitespace-nowrap text-muted">
        <span>{dayText(from)}</span>
        <span className="text-center max-[22rem]:invisible">
          {until - from > DAY_MS && dayText(middleDay(from, until))}
        </span>
        <span className="text-end">{dayText(until)}</span>
      </div>
      <div className="col-start-2">{children}</div>
    </div>
  )
}

const middleDay = (from: number, until: number): number => from + Math.floor((until - from) / 2 / DAY_MS) * DAY_MS

interface EndLabelsProps {
  lines: readonly ChartLine[]
  /** The height of the end of each line, from the top. */
  ends: readonly number[]
  height: number
}

/** The names of the lines at their ends. */
function EndLabels({ lines, ends, height }: EndLabelsProps) {
  const places = spread(ends, LABEL_HEIGHT, height)
  const looks = looksOf(lines)
  return (
    <div aria-hidden="true" className="relative" style={{ height: rem(height) }}>
      <svg viewBox={`0 0 ${LEADER_WIDTH} ${height}`} className="absolute start-0 top-0 h-full fill-none">
        {lines.map(({ id }, index) => (
          <path
            key={id}
            d={`M1 ${ends[index]}L${LEADER_WIDTH - 3} ${places[index]}`}
            className={looks[index]?.className}
          />
        ))}
      </svg>
      {lines.map(({ id, name, isStrong }, index) => (
        <span
          key={id}
          style={{ top: rem(places[index] ?? 0) }}
          className={clsx('absolute start-4 end-0 -mt-2.5 flex text-sm leading-5', isStrong && 'font-bold')}
        >
          {/* Truncated at the end of its own text direction. */}
          <span dir="auto" className="truncate">
            {name}
          </span>
        </span>
      ))}
    </div>
  )
}

interface LegendProps {
  lines: readonly ChartLine[]
  values: readonly number[]
  day: number
}

function Legend({ lines, values, day }: LegendProps) {
  const looks = looksOf(lines)
  return (
    <div className="mt-1 border-t border-line pt-3">
      <p className="mb-1 text-sm font-semibold text-ink-2">{fullDayText(day)}</p>
      <ul className="grid grid-cols-1 gap-x-8 gap-y-1 sm:grid-cols-2">
        {lines.map(({ id, name, isStrong, note }, index) => (
          <li key={id} className="flex items-center gap-2.5">
            <svg aria-hidden="true" width={40} height={8} className="shrink-0 fill-none rtl:-scale-x-100">
              <path d="M0 4H40" {...looks[index]} />
            </svg>
            <span className={clsx('min-w-0 grow', isStrong && 'font-semibold')}>
              <bdi>{name}</bdi> {note}
            </span>
            <span className="font-semibold tabular-nums">{formatNumber(values[index] ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
