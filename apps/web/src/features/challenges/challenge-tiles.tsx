import { ClipboardList, Flame, Layers, Trophy } from 'lucide-react'
import { challengeFigures } from '../../brand/challenge-figures.ts'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { LIST_INPUT } from './challenge-list.ts'

/** How much there is to do. Sums are told only when the whole list is at hand: half a sum is no figure. */
export function ChallengeTiles({ now }: { now: Date }) {
  const t = useT()
  const all = trpc.challenges.list.useQuery(LIST_INPUT)
  const isWhole = all.data?.pagination.totalPages === 1
  const open = trpc.challenges.active.useQuery({ limit: 1 }, { enabled: all.data !== undefined && !isWhole })
  if (!all.data || all.data.pagination.total === 0) return null
  const figures = challengeFigures(all.data.challenges, now)
  const active = isWhole ? figures.active : open.data?.pagination.total
  return (
    <StatTiles className="mb-6">
      <StatTile icon={Layers} label={t('Total Challenges')} value={formatNumber(all.data.pagination.total)} />
      {active !== undefined && <StatTile icon={Flame} label={t('Active Challenges')} value={formatNumber(active)} />}
      {isWhole && (
        <>
          <StatTile icon={Trophy} label={t('Total Points')} value={formatNumber(figures.points)} />
          <StatTile icon={ClipboardList} label={t('Submissions')} value={formatNumber(figures.submissions)} />
        </>
      )}
    </StatTiles>
  )
}
