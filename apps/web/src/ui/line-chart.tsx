import { type PointerEvent, type ReactNode, useState } from 'react'
import { formatDate, formatNumber } from '../lib/format.ts'
import { listText, useT } from '../lib/i18n.ts'
import { type ChartLine, EndLabels, fullDayText, LABEL_HEIGHT, Legend, looksOf, rem } from './line-chart-lines.tsx'
import { roundTicks, stepPath, valueAt } from './line-chart-scale.ts'

const DAY_MS = 86_400_000
/** In units of the viewBox, which is stretched to the available width. */
const WIDTH = 1000
const HEIGHT_MIN = 240

interface LineChartProps {
  /** The alternative text. */
  summary: string
  /** Twelve at most. */
  lines: readonly ChartLine[]
  /** Start of the first and the last day, in ms since the epoch, UTC. */
  from: number
  until: number
}

const dayText = (at: number): string => formatDate(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })

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
  const valueText = listText(lines.map(({ name }, index) => `${name} ${formatNumber(values[index] ?? 0)}`))
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
          aria-valuetext={`${t('{label}:', { label: fullDayText(marked) })} ${valueText}`}
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
            <path key={id} d={stepPath(steps, { x, y, end: until })} {...looks[index]} />
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
        <span>
          <bdi>{dayText(from)}</bdi>
        </span>
        <span className="text-center max-[22rem]:invisible">
          {until - from > DAY_MS && <bdi>{dayText(middleDay(from, until))}</bdi>}
        </span>
        <span className="text-end">
          <bdi>{dayText(until)}</bdi>
        </span>
      </div>
      <div className="col-start-2">{children}</div>
    </div>
  )
}

const middleDay = (from: number, until: number): number => from + Math.floor((until - from) / 2 / DAY_MS) * DAY_MS
