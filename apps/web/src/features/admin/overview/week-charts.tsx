import type { AdminStats } from '@community/contract'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { FiguresTable } from '../../../ui/figures-table.tsx'

type Week = AdminStats['weeks'][number]
type Series = Exclude<keyof Week, 'start'>

const dayOf = ({ start }: Week): string => formatDate(start, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A chart of the last weeks for each kind of event, and all of them as a table. */
export function WeekCharts({ weeks }: { weeks: readonly Week[] }) {
  const t = useT()
  const series: { key: Series; name: string }[] = [
    { key: 'registrations', name: t('Registrations') },
    { key: 'applications', name: t('Applications') },
    { key: 'approvals', name: t('Approvals') },
    { key: 'points', name: t('Points') },
  ]
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('Last {count} weeks', { count: formatNumber(weeks.length) })}</h2>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {series.map(({ key, name }) => (
          <WeekChart key={key} name={name} weeks={weeks} series={key} />
        ))}
      </div>
      <FiguresTable
        caption={t('Per week')}
        head={[t('Week of'), ...series.map(({ name }) => name)]}
        rows={weeks.map((week) => [dayOf(week), ...series.map(({ key }) => formatNumber(week[key]))])}
      />
    </section>
  )
}

function WeekChart({ name, weeks, series }: { name: string; weeks: readonly Week[]; series: Series }) {
  const t = useT()
  const total = weeks.reduce((sum, week) => sum + week[series], 0)
  const peak = weeks.reduce<Week | undefined>(
    (best, week) => (best && best[series] >= week[series] ? best : week),
    undefined,
  )
  const summary = t('{name} per week: {total} in total, with a high of {most} in the week of {day}', {
    name,
    total: formatNumber(total),
    most: formatNumber(peak?.[series] ?? 0),
    day: peak ? dayOf(peak) : '–',
  })
  return (
    <figure className="rounded-card border border-line bg-surface p-4">
      <figcaption className="mb-2 flex items-baseline justify-between gap-3">
        <span className="font-semibold">{name}</span>
        <span className="text-xl font-bold">{formatNumber(total)}</span>
      </figcaption>
      <BarChart summary={summary} bars={weeks.map((week) => ({ label: dayOf(week), value: week[series] }))} />
    </figure>
  )
}
