import type { Challenge } from '@community/contract'
import { clsx } from 'clsx'
import type { InfiniteRows } from '../../lib/infinite-list.ts'
import { formatNumber } from '../../lib/format.ts'
import { msg, type Translate, useT } from '../../lib/i18n.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { ClearButton } from '../../ui/clear-button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { ApplyButton } from './apply-button.tsx'
import { ChallengeCard } from './challenge-card.tsx'
import { onlyOpen, useChallengeList, useChallengeStats } from './challenge-list.ts'
import { FilterForm, type Filters, isFiltering, NO_FILTERS } from './filters.tsx'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

interface ChallengeBrowserProps {
  /** Only open challenges. */
  onlyActive: boolean
  filters: Filters
  onFilter: (filters: Filters) => void
  now: Date
  highlighted: string | null
  onOpen: (challenge: Challenge) => void
  onApply: (challenge: Challenge) => Promise<void>
}

/** The loaded challenges of one tab. */
function useVisibleChallenges({ filters, onlyActive, now }: ChallengeBrowserProps): InfiniteRows<Challenge> {
  const all = useChallengeList(filters)
  const shown = onlyActive ? onlyOpen(all, now) : all
  const isTotalKnown = shown.total !== undefined || isFiltering(filters)
  const stats = useChallengeStats(onlyActive && !isTotalKnown && !all.isLoading)
  return { ...shown, total: shown.total ?? (isTotalKnown ? undefined : stats?.active) }
}

function progressText(t: Translate, { rows, total }: InfiniteRows<Challenge>): string {
  if (total === undefined) {
    return t('{count, plural, one {# challenge shown} other {# challenges shown}}', { count: rows.length })
  }
  const shown = formatNumber(rows.length)
  return t('{total, plural, one {{shown} of # challenge shown} other {{shown} of # challenges shown}}', {
    shown,
    total,
  })
}

/** The filters and the challenges that match them. */
export function ChallengeBrowser(props: ChallengeBrowserProps) {
  const { onlyActive, filters, onFilter, now, highlighted, onOpen, onApply } = props
  const t = useT()
  const list = useVisibleChallenges(props)
  useFailureToast(list.error ?? list.moreError, { fallback: msg('Failed to load challenges') })
  return (
    <>
      <FilterForm applied={filters} onApply={onFilter} />
      <output className={clsx('mb-3 block text-sm text-muted', isFiltering(filters) ? 'min-h-5' : 'empty:hidden')}>
        {isFiltering(filters) &&
          !list.isStale &&
          list.total !== undefined &&
          t('{count, plural, one {# challenge found} other {# challenges found}}', { count: list.total })}
      </output>
      <InfiniteList
        list={list}
        className={GRID}
        skeleton={<Skeletons count={3} layout={GRID} className="h-72" label={t('Loading challenges...')} />}
        failed={t('Failed to load challenges')}
        empty={<NothingFound filters={filters} onlyActive={onlyActive} onClear={() => onFilter(NO_FILTERS)} />}
        progress={progressText(t, list)}
      >
        {(challenge) => (
          <ChallengeCard
            key={challenge.id}
            challenge={challenge}
            now={now}
            isHighlighted={highlighted === challenge.id}
            onOpen={() => onOpen(challenge)}
            action={<ApplyButton challenge={challenge} now={now} onApply={onApply} />}
          />
        )}
      </InfiniteList>
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
      <EmptyState
        title={t('No Challenges Found')}
        action={<ClearButton onClear={onClear}>{t('Clear filters')}</ClearButton>}
      >
        {t('Nothing matches these filters.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No Challenges Found')}>
      {onlyActive
        ? t('No challenges are open right now. New ones are added regularly.')
        : t('The first challenge is coming soon.')}
    </EmptyState>
  )
}
