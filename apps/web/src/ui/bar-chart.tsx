import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'

interface Bar {
  /** A week, or a range of values. */
  label: string
  value: number
}

interface BarChartProps {
  /** The alternative text: what is counted, how much, where the maximum is. */
  summary: string
  bars: readonly Bar[]
}

const STEP = 10
const GAP = 2
const HEIGHT = 60

/** One series, left to right in every language; negative values below the line of zero. Show a `FiguresTable` of the values beside it. */
export function BarChart({ summary, bars }: BarChartProps) {
  const t = useT()
  const values = bars.map(({ value }) => value)
  const most = Math.max(1, ...values)
  const least = Math.min(0, ...values)
  const toHeight = (amount: number) => (amount / (most - least)) * HEIGHT
  return (
    <div dir="ltr" className="grid gap-1">
      <div className="grid grid-cols-[auto_1fr] gap-2 text-xs text-muted">
        <span aria-hidden="true" className="flex flex-col justify-between leading-none">
          <span>{formatNumber(most, { notation: 'compact' })}</span>
          <span className="self-end">{formatNumber(least, { notation: 'compact' })}</span>
        </span>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-24 w-full border-y border-line"
        >
          {bars.map(({ label, value }, index) => (
            <g key={index}>
              <title>{`${t('{label}:', { label })} ${formatNumber(value)}`}</title>
              {/* The whole column shows the tooltip, however low its bar. */}
              <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} fill="none" pointerEvents="all" />
              <rect
                x={index * STEP + GAP / 2}
                y={toHeight(most - Math.max(0, value))}
                width={STEP - GAP}
                height={toHeight(Math.abs(value))}
                className="fill-primary"
              />
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden="true" className="flex justify-between ps-6 text-xs text-muted">
        <bdi>{bars[0]?.label}</bdi>
        <bdi>{bars.at(-1)?.label}</bdi>
      </div>
    </div>
  )
}
