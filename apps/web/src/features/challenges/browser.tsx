import { type Challenge, isOpen } from '@community/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useT } from '../../lib/i18n.ts'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { ApplyButton } from './apply-button.tsx'
import { ChallengeCard } from './challenge-card.tsx'
import { listInput } from './challenge-list.ts'
import { FilterForm, type Filters, isFiltering, NO_FILTERS } from './filters.tsx'

export interface Browsing {
  filters: Filters
  page: number
}

export interface BrowserProps {
  /** Only what can be entered now. */
  onlyActive: boolean
  browsing: Browsing
  onBrowse: (browsing: Browsing) => void
  now: Date
  highlighted: string | null
  onOpen: (challenge: Challenge) => void
  onApply: (challenge: Challenge) => Promise<void>
}

/** The challenges that pass the filters. */
export function Browser({ onlyActive, browsing, onBrowse, now, highlighted, onOpen, onApply }: BrowserProps) {
  const t = useT()
  const { filters, page } = browsing
  const list = trpc.challenges.list.useQuery(listInput(filters, page), { placeholderData: keepPreviousData })
  const all = list.data?.challenges ?? []
  const shown = onlyActive ? all.filter((challenge) => isOpen(challenge, now)) : all
  // Open ones come first: where one on this page is over, no later page holds an open one.
  const totalPages = onlyActive && shown.length < all.length ? page : (list.data?.pagination.totalPages ?? 1)
  return (
    <>
      <FilterForm
        key={JSON.stringify(filters)}
        applied={filters}
        onApply={(applied) => onBrowse({ filters: applied, page: 1 })}
      />
      {list.isPending && <CardSkeletons />}
      {list.isError && !list.data && (
        <ErrorState
          title={t('Failed to load challenges')}
          message={failureOf(list.error).message}
          onRetry={() => void list.refetch()}
          busy={list.isFetching}
        />
      )}
      {list.data && (
        <div aria-busy={list.isPlaceholderData}>
          <output className="mb-3 block text-sm text-muted empty:hidden">
            {isFiltering(filters) &&
              t('{count, plural, one {# challenge found} other {# challenges found}}', { count: shown.length })}
          </output>
          {shown.length === 0 ? (
            <NothingFound
              filters={filters}
              onlyActive={onlyActive}
              onClear={() => onBrowse({ filters: NO_FILTERS, page: 1 })}
            />
          ) : (
            <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {shown.map((challenge) => (
                <ChallengeCard
                  key={challenge.id}
                  challenge={challenge}
                  now={now}
                  isHighlighted={highlighted === challenge.id}
                  onOpen={() => onOpen(challenge)}
                  action={<ApplyButton challenge={challenge} now={now} onApply={onApply} size="sm" />}
                />
              ))}
            </ul>
          )}
          <Pagination
            label={t('Pages of challenges')}
            page={page}
            totalPages={totalPages}
            onPage={(next) => onBrowse({ filters, page: next })}
          />
        </div>
      )}
    </>
  )
}

interface NothingFoundProps {
  filters: Filters
  onlyActive: boolean
  onClear: () => void
}

function NothingFound({ filters, onlyActive, onClear }: NothingFoundProps) {
  const t = useT()
  if (isFiltering(filters)) {
    return (
      <EmptyState title={t('No Challenges Found')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('Nothing matches these filters.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No Challenges Found')}>
      {onlyActive
        ? t('No challenge is open right now. New ones come regularly.')
        : t('The first challenge is on its way.')}
    </EmptyState>
  )
}

const PLACES = [0, 1, 2]

function CardSkeletons() {
  const t = useT()
  return (
    <Loading label={t('Loading challenges...')} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {PLACES.map((place) => (
        <Skeleton key={place} className="h-72" />
      ))}
    </Loading>
  )
}
