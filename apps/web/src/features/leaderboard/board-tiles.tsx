import { CheckCheck, Medal, Trophy, Users } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import type { boardFigures } from './board-figures.ts'

interface BoardTilesProps {
  /** Undefined when nothing is known: the tiles stand without figures. */
  figures: ReturnType<typeof boardFigures> | undefined
  /** How many rows the figures are of, when there may be more teams than these. */
  cutAt: number | undefined
  /** Of the whole community, where the server told it. */
  teamsWithPoints: number | undefined
}

/** The board in four figures. */
export function BoardTiles({ figures, cutAt, teamsWithPoints }: BoardTilesProps) {
  const t = useT()
  const shown = (figure: number | undefined) => (figure === undefined ? '–' : formatNumber(figure))
  const part = cutAt === undefined ? undefined : t('The first {count} teams', { count: formatNumber(cutAt) })
  return (
    <StatTiles>
      <StatTile
        icon={Users}
        label={t('Teams with points')}
        value={shown(teamsWithPoints ?? figures?.scoring)}
        note={teamsWithPoints === undefined ? part : undefined}
      />
      <StatTile icon={Trophy} label={t('Points earned')} value={shown(figures?.points)} note={part} />
      <StatTile icon={Medal} label={t('Highest points')} value={shown(figures?.highest)} />
      <StatTile
        icon={CheckCheck}
        label={t('Challenges completed')}
        value={shown(figures?.challengesCompleted)}
        note={part}
      />
    </StatTiles>
  )
}
