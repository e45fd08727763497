import type { LeaderboardRow } from '@community/contract'
import { clsx } from 'clsx'
import { TeamTile } from '../../brand/team-tile.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'

/** Heights of look.md: 112, 80, 56 px. The first stands in the middle; readers hear 1, 2, 3. */
const STEPS = [
  { place: 'order-2', block: 'h-28 bg-gold-soft text-gold border-saffron', medal: 'bg-saffron text-on-saffron' },
  { place: 'order-1', block: 'h-20 bg-sunken border-line', medal: 'bg-surface text-ink border border-control' },
  { place: 'order-3', block: 'h-14 bg-sunken border-line', medal: 'bg-surface text-ink border border-control' },
]

/** The first three. */
export function Podium({ rows, own }: { rows: readonly LeaderboardRow[]; own: ReadonlySet<string> }) {
  const t = useT()
  if (rows.length === 0) return null
  return (
    <ol
      aria-label={t('The first three')}
      className="mx-auto grid w-full max-w-2xl grid-cols-3 items-end gap-2 sm:gap-4"
    >
      {rows.map((row, index) => {
        const step = STEPS[index]
        return (
          <li key={row.id} className={clsx('grid min-w-0 justify-items-center gap-2', step?.place)}>
            <TeamTile name={row.name} size={index === 0 ? 'lg' : 'md'} />
            <p className="max-w-full text-center leading-snug font-semibold">
              <bdi>{row.name}</bdi>
            </p>
            {own.has(row.id) && <Badge tone="info">{t('You')}</Badge>}
            <div
              className={clsx(
                'flex w-full items-center justify-center gap-x-2.5 gap-y-1 rounded-t-card border border-b-0 max-sm:flex-col',
                step?.block,
              )}
            >
              <span className={clsx('grid size-7 place-items-center rounded-full text-sm font-bold', step?.medal)}>
                {formatNumber(row.rank)}
              </span>
              <span className="text-sm font-semibold whitespace-nowrap max-sm:hidden">
                {t('{count, plural, one {# point} other {# points}}', { count: row.points })}
              </span>
            </div>
            <p className="-mt-1 text-sm font-semibold text-ink-2 sm:hidden">
              {t('{count, plural, one {# point} other {# points}}', { count: row.points })}
            </p>
          </li>
        )
      })}
    </ol>
  )
}
