import type { LeaderboardRow } from '@community/contract'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { TeamTile } from '../../brand/team-tile.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { gapAbove, pointsPerChallenge } from './board-figures.ts'

/** Rows shown before one asks for all; the reader's own teams are shown wherever they stand. */
const SHOWN_AT_FIRST = 20

interface RankTableProps {
  rows: readonly LeaderboardRow[]
  own: ReadonlySet<string>
}

/** The whole board. On phones rank, team and points, the rest behind a disclosure in the row. */
export function RankTable({ rows, own }: RankTableProps) {
  const t = useT()
  const [all, setAll] = useState(false)
  const shown = rows.filter((row, index) => all || index < SHOWN_AT_FIRST || own.has(row.id))
  return (
    <div>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <table className="w-full border-collapse">
          <caption className="sr-only">{t('Teams by points')}</caption>
          <thead>
            <tr className="border-b border-line bg-sunken text-sm text-ink-2">
              <th scope="col" className="w-14 px-3 py-2.5 text-start font-semibold sm:px-4">
                {t('Rank')}
              </th>
              <th scope="col" className="px-3 py-2.5 text-start font-semibold sm:px-4">
                {t('Team')}
              </th>
              <th scope="col" className="px-4 py-2.5 text-end font-semibold max-sm:hidden">
                {t('Challenges completed')}
              </th>
              <th scope="col" className="px-3 py-2.5 text-end font-semibold sm:px-4">
                {t('Points')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <Row
                key={row.id}
                row={row}
                isOwn={own.has(row.id)}
                isApart={index > 0 && row.rank - (shown[index - 1]?.rank ?? 0) > 1}
                gap={own.has(row.id) ? gapAbove(rows, row.id) : null}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <div className="mt-4 flex justify-center">
          <Button onClick={() => setAll(true)}>
            {t('Show all {count} teams', { count: formatNumber(rows.length) })}
          </Button>
        </div>
      )}
    </div>
  )
}

interface RowProps {
  row: LeaderboardRow
  isOwn: boolean
  /** Rows above it are left out. */
  isApart: boolean
  gap: ReturnType<typeof gapAbove>
}

function Row({ row, isOwn, isApart, gap }: RowProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  return (
    <tr
      className={clsx(
        'border-b border-line last:border-b-0',
        isApart && 'border-t-4 border-double',
        isOwn &&
          'bg-primary-soft shadow-[inset_0.25rem_0_0_var(--primary)] rtl:shadow-[inset_-0.25rem_0_0_var(--primary)]',
      )}
    >
      <td className="px-3 py-2.5 align-top text-lg font-bold sm:px-4 sm:align-middle">{formatNumber(row.rank)}</td>
      <th scope="row" className="px-3 py-2 text-start font-normal sm:px-4">
        <div className="flex items-center gap-3">
          <TeamTile name={row.name} size="sm" />
          <span className="min-w-0 grow font-semibold">
            <bdi>{row.name}</bdi> {isOwn && <Badge tone="info">{t('You')}</Badge>}
            {gap && (
              <span className="block text-sm font-normal text-ink-2 max-sm:hidden">
                <GapText gap={gap} />
              </span>
            )}
          </span>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={moreId}
            aria-label={t('More about {name}', { name: row.name })}
            onClick={() => setOpen(!open)}
            className="grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken sm:hidden"
          >
            <ChevronDown aria-hidden="true" className={clsx('size-5 transition-transform', open && 'rotate-180')} />
          </button>
        </div>
        <div id={moreId} hidden={!open} className="mt-1.5 grid gap-0.5 text-sm text-ink-2 sm:hidden">
          <p>
            {t('{count, plural, one {# challenge completed} other {# challenges completed}}', {
              count: row.challengesCompleted,
            })}
          </p>
          {row.challengesCompleted > 0 && (
            <p>
              {t('{count, plural, one {# point} other {# points}} per challenge', { count: pointsPerChallenge(row) })}
            </p>
          )}
          {gap && (
            <p>
              <GapText gap={gap} />
            </p>
          )}
        </div>
      </th>
      <td className="px-4 py-2.5 text-end max-sm:hidden">{formatNumber(row.challengesCompleted)}</td>
      <td className="px-3 py-2.5 text-end align-top text-lg font-semibold sm:px-4 sm:align-middle">
        {formatNumber(row.points)}
      </td>
    </tr>
  )
}

function GapText({ gap }: { gap: NonNullable<RowProps['gap']> }) {
  const t = useT()
  return t('{count, plural, one {# point} other {# points}} behind {team}', { count: gap.points, team: gap.above.name })
}
