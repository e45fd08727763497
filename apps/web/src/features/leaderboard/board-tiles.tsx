import { CheckCheck, Medal, Trophy, Users } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import type { boardStats } from './board-stats.ts'

interface BoardTilesProps {
  /** Undefined while unknown: the tiles are shown without figures. */
  stats: ReturnType<typeof boardStats> | undefined
  /** The number of rows that the figures cover, if there may be more teams. */
  rowLimit: number | undefined
  /** The figures of the whole community, if the server returned them. */
  teamsWithPoints: number | undefined
}

/** Four statistics of the board. */
export function BoardTiles({ stats, rowLimit, teamsWithPoints }: BoardTilesProps) {
  const t = useT()
  const formatOrDash = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value))
  const limitNote = rowLimit === undefined ? undefined : t('Top {count} teams', { count: formatNumber(rowLimit) })
  return (
    <StatTiles>
      <StatTile
        icon={Users}
        label={t('Teams with points')}
        value={formatOrDash(teamsWithPoints ?? stats?.scoring)}
        note={teamsWithPoints === undefined ? limitNote : undefined}
      />
      <StatTile icon={Trophy} label={t('Points earned')} value={formatOrDash(stats?.points)} note={limitNote} />
      <StatTile icon={Medal} label={t('Highest points')} value={formatOrDash(stats?.highest)} />
      <StatTile
        icon={CheckCheck}
        label={t('Challenges completed')}
        value={formatOrDash(stats?.challengesCompleted)}
        note={limitNote}
      />
    </StatTiles>
  )
}
