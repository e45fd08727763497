import { clsx } from 'clsx'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { afterSignIn } from './after-sign-in.ts'
import { TeamCard } from './team-card.tsx'
import type { TeamPages } from './use-team-pages.ts'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'
const SKELETONS = [0, 1, 2, 3, 4, 5]

interface TeamResultsProps {
  shown: TeamPages
  isFiltered: boolean
  onMore: () => void
  onClearFilters: () => void
}

/** What the filters found: loading, failed, nothing, or cards. */
export function TeamResults({ shown, isFiltered, onMore, onClearFilters }: TeamResultsProps) {
  const t = useT()
  const { teams, total, error } = shown
  return (
    <>
      <output className="mb-3 block min-h-6 text-ink-2">
        {total !== undefined &&
          t('{count, plural, =0 {No teams found} one {# team found} other {# teams found}}', { count: total })}
      </output>
      {shown.isLoading && <GridSkeleton />}
      {error !== null && teams.length === 0 && (
        <ErrorState title={t('Failed to load teams')} message={failureOf(error).message} onRetry={shown.retry} />
      )}
      {total === 0 && <NoTeams isFiltered={isFiltered} onClearFilters={onClearFilters} />}
      {teams.length > 0 && (
        <div aria-busy={shown.isStale} className={clsx('transition-opacity', shown.isStale && 'opacity-60')}>
          <Cards shown={shown} />
        </div>
      )}
      {teams.length > 0 && (shown.hasMore || shown.isLoadingMore || error !== null) && (
        <LoadMore onMore={error === null ? onMore : shown.retry} busy={shown.isLoadingMore} />
      )}
    </>
  )
}

function Cards({ shown }: { shown: TeamPages }) {
  const user = useUser()
  const open = (teamId: string) => {
    if (user) return emit('openTeam', { teamId })
    afterSignIn(() => emit('openTeam', { teamId }))
    emit('openAuthModal', { mode: 'login' })
  }
  return (
    <ul className={GRID}>
      {shown.teams.map((team) => (
        <li key={team.id}>
          <TeamCard team={team} userId={user?.id} onOpen={() => open(team.id)} />
        </li>
      ))}
    </ul>
  )
}

function GridSkeleton() {
  return (
    <Loading className={GRID}>
      {SKELETONS.map((card) => (
        <Skeleton key={card} className="h-60 rounded-card" />
      ))}
    </Loading>
  )
}

function NoTeams({ isFiltered, onClearFilters }: { isFiltered: boolean; onClearFilters: () => void }) {
  const t = useT()
  if (isFiltered) {
    return (
      <EmptyState title={t('No Teams Found')} action={<Button onClick={onClearFilters}>{t('Clear filters')}</Button>}>
        {t('No team matches your search. Try another word or role.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No Teams Yet')}>{t('The first tile is not laid yet: create the first team.')}</EmptyState>
  )
}
