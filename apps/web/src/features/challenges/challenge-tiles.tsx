import { ClipboardList, Flame, Layers, Trophy } from 'lucide-react'
import { challengeStats } from '../../components/challenge-stats.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { useChallengeList, useChallengeStats } from './challenge-list.ts'
import { NO_FILTERS } from './filters.tsx'

/** Totals of all challenges, from the server if the list is only partly loaded. Dashes while they load, so that nothing below moves. */
export function ChallengeTiles({ now }: { now: Date }) {
  const t = useT()
  const { rows, total, hasMore, isLoading } = useChallengeList(NO_FILTERS)
  const serverStats = useChallengeStats(total !== undefined && hasMore)
  if (total === undefined && !isLoading) return null
  const stats = isLoading || hasMore ? serverStats : challengeStats(rows, now)
  const formatOrDash = (figure: number | undefined) => (figure === undefined ? '–' : formatNumber(figure))
  return (
    <StatTiles className="mb-6">
      <StatTile icon={Layers} label={t('Total Challenges')} value={formatOrDash(total)} />
      <StatTile icon={Flame} label={t('Active Challenges')} value={formatOrDash(stats?.active)} />
      <StatTile icon={Trophy} label={t('Total Points')} value={formatOrDash(stats?.points)} />
      <StatTile icon={ClipboardList} label={t('Submissions')} value={formatOrDash(stats?.submissions)} />
    </StatTiles>
  )
}
