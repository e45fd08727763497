import type { LeaderboardRow, Standing } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { listText, useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { FiguresTable } from '../../ui/figures-table.tsx'
import { LineChart } from '../../ui/line-chart.tsx'
import { valueAt } from '../../ui/line-chart-scale.ts'
import { Skeletons } from '../../ui/states.tsx'
import { chartTeams, daysOfChange, type PointsLine, pointsLines, timeSpan } from './points-lines.ts'

interface PointsOverTimeProps {
  rows: readonly LeaderboardRow[]
  standings: readonly Standing[]
}

/** The points over time of the first five and the user's teams. Like the board, it shows no error while the server is unreachable. */
export function PointsOverTime({ rows, standings }: PointsOverTimeProps) {
  const t = useT()
  const ids = chartTeams(rows, standings)
  const query = useQuery(
    trpc.teams.pointsHistory.queryOptions({ ids }, { enabled: ids.length > 0, placeholderData: (before) => before }),
  )
  const lines = pointsLines(query.data?.history ?? [])
  if (query.isError && lines.length === 0) return null
  return (
    <section aria-labelledby="points-over-time">
      <h3 id="points-over-time" className="text-xl">
        {t('Points over time')}
      </h3>
      <p className="mb-3 text-ink-2">
        {standings.some(({ points }) => points > 0) ? t('The top five teams and yours.') : t('The top five teams.')}
      </p>
      {query.isLoading && <Skeletons className="h-96" />}
      {!query.isLoading && lines.length === 0 && (
        <p className="rounded-card border border-line bg-surface px-4 py-8 text-center text-ink-2">
          {t('No points yet. The chart starts with the first approved work.')}
        </p>
      )}
      {lines.length > 0 && <PointsChart lines={lines} ownTeamIds={new Set(standings.map(({ id }) => id))} />}
    </section>
  )
}

function PointsChart({ lines, ownTeamIds }: { lines: readonly PointsLine[]; ownTeamIds: ReadonlySet<string> }) {
  const t = useT()
  const { from, until } = timeSpan(lines, useServerNow())
  const summary = t('Points over time from {from} to {until}. Now: {teams}', {
    from: formatDay(from),
    until: formatDay(until),
    teams: listText(lines.map(({ name, steps }) => `${name} ${formatNumber(steps.at(-1)?.value ?? 0)}`)),
  })
  return (
    <div className="rounded-card border border-line bg-surface p-3 sm:p-4">
      <LineChart
        summary={summary}
        from={from}
        until={until}
        lines={lines.map((line) =>
          ownTeamIds.has(line.id) ? { ...line, isStrong: true, note: <Badge tone="info">{t('You')}</Badge> } : line,
        )}
      />
      <FiguresTable
        caption={t('Points at the end of each day they changed')}
        head={[t('Day'), ...lines.map(({ name }) => name)]}
        rows={daysOfChange(lines).map((day) => [
          formatDay(day),
          ...lines.map(({ steps }) => formatNumber(valueAt(steps, day))),
        ])}
      />
    </div>
  )
}

const formatDay = (at: number): string =>
  formatDate(at, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
