import type { TeamView } from '@community/contract'
import type { InfiniteRows } from '../../lib/infinite-list.ts'
import { formatCapped, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { ClearButton } from '../../ui/clear-button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { openTeam } from './open-team.ts'
import { TeamCard } from './team-card.tsx'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

interface TeamResultsProps {
  list: InfiniteRows<TeamView>
  isFiltered: boolean
  onClearFilters: () => void
}

/** The teams that match the filters, with loading, error and empty states. */
export function TeamResults({ list, isFiltered, onClearFilters }: TeamResultsProps) {
  const t = useT()
  const user = useUser()
  const { rows, total, isTotalCapped } = list
  return (
    <>
      <output className="mb-3 block min-h-6 text-ink-2">
        {total !== undefined &&
          (isTotalCapped
            ? t('{total} teams found', { total: formatCapped(total) })
            : t('{count, plural, =0 {No teams found} one {# team found} other {# teams found}}', { count: total }))}
      </output>
      <InfiniteList
        list={list}
        className={GRID}
        skeleton={<Skeletons count={6} layout={GRID} className="h-60 rounded-card" />}
        failed={t('Failed to load teams')}
        empty={<NoTeams isFiltered={isFiltered} onClearFilters={onClearFilters} />}
        progress={
          isTotalCapped && total !== undefined
            ? t('{shown} of {total} teams shown', { shown: formatNumber(rows.length), total: formatCapped(total) })
            : t('{total, plural, one {{shown} of # team shown} other {{shown} of # teams shown}}', {
                shown: formatNumber(rows.length),
                total,
              })
        }
      >
        {(team) => (
          <li key={team.id}>
            <TeamCard team={team} userId={user?.id} onOpen={() => openTeam(team.id)} />
          </li>
        )}
      </InfiniteList>
    </>
  )
}

function NoTeams({ isFiltered, onClearFilters }: { isFiltered: boolean; onClearFilters: () => void }) {
  const t = useT()
  if (isFiltered) {
    return (
      <EmptyState
        title={t('No Teams Found')}
        action={<ClearButton onClear={onClearFilters}>{t('Clear filters')}</ClearButton>}
      >
        {t('No team matches your search. Try another word or role.')}
      </EmptyState>
    )
  }
  return <EmptyState title={t('No Teams Yet')}>{t('New teams will appear here.')}</EmptyState>
}
