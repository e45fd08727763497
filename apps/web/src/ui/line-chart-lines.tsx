import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatDate, formatNumber } from '../lib/format.ts'
import { type Step, preventOverlap } from './line-chart-scale.ts'

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

/** Height of a name at the end of its line, in px. */
export const LABEL_HEIGHT = 22
const LEADER_WIDTH = 16
/** Heights are in px at a font size of 16 px and scale with it. */
export const rem = (pixels: number): string => `${pixels / 16}rem`

const STROKES = ['stroke-primary', 'stroke-gold', 'stroke-ok', 'stroke-bad', 'stroke-ink-2', 'stroke-muted']
/** Twelve lines differ even without colours. */
const DASHES = ['', '9 4', '2 3', '12 3 2 3', '5 5', '16 5', '2 6', '8 3 2 3 2 3', '20 4 6 4', '4 2', '12 8', '1 2 6 2']

interface Look {
  className: string | undefined
  strokeDasharray: string | undefined
  strokeWidth: number
}

/** The stroke of each line. The first strong line gets the first, solid one. */
export function looksOf(lines: readonly ChartLine[]): Look[] {
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

export const fullDayText = (at: number): string =>
  formatDate(at, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

interface EndLabelsProps {
  lines: readonly ChartLine[]
  /** The height of the end of each line, from the top. */
  ends: readonly number[]
  height: number
}

/** The names of the lines at their ends. */
export function EndLabels({ lines, ends, height }: EndLabelsProps) {
  const places = preventOverlap(ends, LABEL_HEIGHT, height)
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

/** Names and values of the lines on one day. */
export function Legend({ lines, values, day }: LegendProps) {
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
