import type { AdminStats } from '@community/contract'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { FiguresTable } from '../../../ui/figures-table.tsx'

type Distribution = AdminStats['scores'][number]

/** The range of scores that an index of `counts` stands for: '1–10', '11–20' ... */
const rangeOf = (index: number): string => `${formatNumber(index * 10 + 1)}–${formatNumber(index * 10 + 10)}`

/** The distribution of the scores of approved work, a chart for each challenge. */
export function ScoreCharts({ scores }: { scores: readonly Distribution[] }) {
  const t = useT()
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('Scores by challenge')}</h2>
      {scores.length === 0 ? (
        <p className="text-ink-2">{t('No work has been approved yet.')}</p>
      ) : (
        <>
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {scores.map((distribution) => (
              <ScoreChart key={distribution.challenge.id} {...distribution} />
            ))}
          </div>
          <FiguresTable
            caption={t('Approved work by score')}
            head={[t('Challenge'), ...(scores[0]?.counts ?? []).map((_, index) => rangeOf(index))]}
            rows={scores.map(({ challenge, counts }) => [
              challenge.title,
              ...counts.map((count) => formatNumber(count)),
            ])}
          />
        </>
      )}
    </section>
  )
}

function ScoreChart({ challenge, counts }: Distribution) {
  const t = useT()
  const total = counts.reduce((sum, count) => sum + count, 0)
  const summary = t('Scores in {title}: {total, plural, other {# approved}}, mostly {range}', {
    title: challenge.title,
    total,
    range: rangeOf(counts.indexOf(Math.max(...counts))),
  })
  return (
    <figure className="min-w-0 rounded-card border border-line bg-surface p-4">
      <figcaption className="mb-2 flex items-baseline justify-between gap-3">
        <bdi className="truncate font-semibold" title={challenge.title}>
          {challenge.title}
        </bdi>
        <span className="font-bold">{formatNumber(total)}</span>
      </figcaption>
      <BarChart summary={summary} bars={counts.map((value, index) => ({ label: rangeOf(index), value }))} />
    </figure>
  )
}
