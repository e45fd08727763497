import type { Dashboard } from '@community/contract'
import { STATUS_LABELS } from '../../components/submission-badges.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'

/** The statistics of the user's teams. */
export function OwnStats({ stats }: { stats: Dashboard['stats'] }) {
  const t = useT()
  const statuses = [
    { label: t(STATUS_LABELS.pending), count: stats.pending },
    { label: t('{submissions, select, other {Approved}}'), count: stats.approved },
    { label: t('{submissions, select, other {Rejected}}'), count: stats.rejected },
  ]
  return (
    <StatTiles>
      <StatTile label={t('Teams')} value={formatNumber(stats.teams)} />
      <StatTile label={t('Points')} value={formatNumber(stats.points)} />
      <StatTile label={t('Challenges completed')} value={formatNumber(stats.challengesCompleted)} />
      <StatTile
        label={t('Submissions')}
        value={formatNumber(stats.submissions)}
        note={
          <span className="flex flex-wrap gap-x-3">
            {statuses.map(({ label, count }) => (
              <span key={label}>
                {t('{label}:', { label })} <bdi>{formatNumber(count)}</bdi>
              </span>
            ))}
          </span>
        }
      />
    </StatTiles>
  )
}
