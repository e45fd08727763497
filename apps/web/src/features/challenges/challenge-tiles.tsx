import { ClipboardList, Flame, Layers, Trophy } from 'lucide-react'
import { challengeFigures } from '../../brand/challenge-figures.ts'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { useChallengeList, useOpenTotal } from './challenge-list.ts'
import { NO_FILTERS } from './filters.tsx'

/** How much there is to do. Sums are told only when the whole list is at hand: half a sum is no figure. */
export function ChallengeTiles({ now }: { now: Date }) {
  const t = useT()
  const { rows, total, hasMore } = useChallengeList(NO_FILTERS)
  const openTotal = useOpenTotal(total !== undefined && hasMore)
  if (!total) return null
  const figures = challengeFigures(rows, now)
  const active = hasMore ? openTotal : figures.active
  return (
    <StatTiles className="mb-6">
      <StatTile icon={Layers} label={t('Total Challenges')} value={formatNumber(total)} />
      {active !== undefined && <StatTile icon={Flame} label={t('Active Challenges')} value={formatNumber(active)} />}
      {!hasMore && (
        <>
          <StatTile icon={Trophy} label={t('Total Points')} value={formatNumber(figures.points)} />
          <StatTile icon={ClipboardList} label={t('Submissions')} value={formatNumber(figures.submissions)} />
        </>
      )}
    </StatTiles>
  )
}
