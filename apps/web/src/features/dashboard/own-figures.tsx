import type { Dashboard } from '@community/contract'
import { STATUS_WORDS } from '../../components/submission-marks.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'

/** What a member's teams have reached so far. */
export function OwnFigures({ stats }: { stats: Dashboard['stats'] }) {
  const t = useT()
  const states = [
    { label: t(STATUS_WORDS.pending), figure: stats.pending },
    { label: t(STATUS_WORDS.approved), figure: stats.approved },
    { label: t(STATUS_WORDS.rejected), figure: stats.rejected },
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
            {states.map(({ label, figure }) => (
              <span key={label}>
                {t('{label}:', { label })} <bdi>{formatNumber(figure)}</bdi>
              </span>
            ))}
          </span>
        }
      />
    </StatTiles>
  )
}
