import type { LeaderboardRow, Standing } from '@community/contract'
import { useRef, ViewTransition } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { InfiniteRows } from '../../lib/infinite-list.ts'
import { Button } from '../../ui/button.tsx'
import { focusOn } from '../../ui/focus-on.ts'
import { ShowMore } from '../../ui/infinite-list.tsx'
import { gapAbove, hasTies } from './board-stats.ts'
import { RankRow } from './rank-row.tsx'

/** Number of rows shown at first. */
export const INITIAL_ROWS = 20

interface RankTableProps {
  list: InfiniteRows<LeaderboardRow>
  standings: readonly Standing[]
  /** All that are loaded, instead of the first. */
  showsAllRows: boolean
  onShowAll: () => void
}

/** The board as a table. The user's teams that are further down are its last rows, the best of them pinned. */
export function RankTable({ list, standings, showsAllRows, onShowAll }: RankTableProps) {
  const t = useT()
  const body = useRef<HTMLTableSectionElement>(null)
  const { rows, hasMore, total = rows.length } = list
  const shown = showsAllRows ? rows : rows.slice(0, INITIAL_ROWS)
  const ownGaps = new Map(standings.map((standing) => [standing.id, gapAbove(standing)]))
  const ownTeamsBelow = standings.filter(({ id }) => !shown.some((row) => row.id === id))
  const isAnyTied = hasTies(shown) || ownTeamsBelow.some(({ tied, points }) => tied && points > 0)
  const showAll = () => {
    flushSync(onShowAll)
    const firstNew = body.current?.children[INITIAL_ROWS]
    if (firstNew instanceof HTMLElement) focusOn(firstNew)
  }
  return (
    <div>
      {/* `overflow-clip`, as `hidden` would make the pinned row stick to this element instead of the window. */}
      <div className="overflow-clip rounded-card border border-line bg-surface">
        <table className="w-full border-separate border-spacing-0">
          <caption className="sr-only">{t('Teams by points')}</caption>
          <TableHead />
          <tbody ref={body}>
            {shown.map((row) => (
              <ViewTransition key={row.id} default="none" update="auto">
                <RankRow team={row} rank={row.rank} isOwn={ownGaps.has(row.id)} gap={ownGaps.get(row.id) ?? null} />
              </ViewTransition>
            ))}
          </tbody>
          {ownTeamsBelow.length > 0 && (
            <tbody data-further="">
              {ownTeamsBelow.map((team, index) => (
                <RankRow key={team.id} team={team} rank={team.rank} isOwn gap={gapAbove(team)} isPinned={index === 0} />
              ))}
            </tbody>
          )}
        </table>
      </div>
      {isAnyTied && <p className="mt-2 text-sm text-ink-2">{t('Ties go to the team that got there first.')}</p>}
      {shown.length < rows.length ? (
        <div className="mt-4 flex justify-center">
          <Button onClick={showAll}>
            {hasMore ? t('Show more') : t('Show all {count} teams', { count: formatNumber(rows.length) })}
          </Button>
        </div>
      ) : (
        <ShowMore
          list={list}
          rows={body}
          progress={t('{total, plural, one {{shown} of # team shown} other {{shown} of # teams shown}}', {
            shown: formatNumber(rows.length),
            total,
          })}
        />
      )}
    </div>
  )
}

function TableHead() {
  const t = useT()
  return (
    <thead>
      <tr className="bg-sunken text-sm text-ink-2">
        <th scope="col" className="min-w-12 ps-3 pe-1 py-2.5 text-start font-semibold sm:px-4">
          {t('Rank')}
        </th>
        <th scope="col" className="px-1 py-2.5 text-start font-semibold sm:px-4">
          {t('Team')}
        </th>
        <th scope="col" className="px-4 py-2.5 text-end font-semibold whitespace-nowrap max-sm:hidden">
          {t('Challenges completed')}
        </th>
        <th scope="col" className="ps-0 pe-3 py-2.5 text-end font-semibold sm:px-4">
          {t('Points')}
        </th>
      </tr>
    </thead>
  )
}
