import type { LeaderboardRow } from '@community/contract'
import { clsx } from 'clsx'
import { TeamTile } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'

/** Shows the first in the middle; the DOM order stays 1, 2, 3 for screen readers. */
const ORDER_CLASSES = ['order-2', 'order-1', 'order-3']

const LOWER = { block: 'bg-sunken border-line', medal: 'bg-surface text-ink border border-control' }
/** Heights of look.md by rank: 112, 80, 56 px. */
const STEPS = [
  { height: 'h-28', block: 'bg-gold-soft text-gold border-saffron', medal: 'bg-saffron text-on-saffron' },
  { height: 'h-20', ...LOWER },
  { height: 'h-14', ...LOWER },
]

interface PodiumProps {
  rows: readonly LeaderboardRow[]
  ownTeamIds: ReadonlySet<string>
}

/** The first three teams, or fewer. */
export function Podium({ rows, ownTeamIds }: PodiumProps) {
  const t = useT()
  if (rows.length === 0) return null
  return (
    <ol
      aria-label={t('Top three teams')}
      className="mx-auto grid w-full max-w-2xl grid-cols-3 items-end gap-2 sm:gap-4"
    >
      {rows.map((row, index) => (
        <PodiumStep key={row.id} row={row} orderClass={ORDER_CLASSES[index]} isOwn={ownTeamIds.has(row.id)} />
      ))}
    </ol>
  )
}

function PodiumStep({
  row,
  orderClass,
  isOwn,
}: {
  row: LeaderboardRow
  orderClass: string | undefined
  isOwn: boolean
}) {
  const t = useT()
  const step = STEPS[row.rank - 1]
  const points = t('{count, plural, one {# point} other {# points}}', { count: row.points })
  return (
    <li className={clsx('grid min-w-0 justify-items-center gap-2', orderClass)}>
      <TeamTile name={row.name} size={row.rank === 1 ? 'lg' : 'md'} />
      <p className="max-w-full text-center leading-snug font-semibold">
        <bdi>{row.name}</bdi>
      </p>
      {isOwn && <Badge tone="info">{t('You')}</Badge>}
      <div
        className={clsx(
          'flex w-full items-center justify-center gap-x-2.5 gap-y-1 rounded-t-card border border-b-0 max-sm:flex-col',
          step?.height,
          step?.block,
        )}
      >
        <span
          className={clsx(
            'grid h-7 min-w-7 place-items-center rounded-full px-1.5 text-sm font-bold leading-none',
            step?.medal,
          )}
        >
          {formatNumber(row.rank)}
        </span>
        <span className="text-sm font-semibold whitespace-nowrap max-sm:hidden">{points}</span>
      </div>
      <p className="-mt-1 text-sm font-semibold text-ink-2 sm:hidden">{points}</p>
    </li>
  )
}
