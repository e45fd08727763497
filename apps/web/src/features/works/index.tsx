import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FIRST_QUERIES } from '../../lib/first-queries.ts'
import { BY_CURSOR, SEARCH_BY_CURSOR } from '../../lib/by-cursor.ts'
import { infiniteList } from '../../lib/infinite-list.ts'
import { formatCapped, formatNumber } from '../../lib/format.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { ClearButton } from '../../ui/clear-button.tsx'
import { Field } from '../../ui/field.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { WorkCard } from './work-card.tsx'

const SEARCH_DEBOUNCE_MS = 300
const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

type Sort = 'newest' | 'oldest' | 'highest'

const useSearch = memoryState('')
const useSort = memoryState<Sort>('newest')

/** The approved work of all teams, with search and sorting. */
export function WorksSection() {
  const t = useT()
  const [search, setSearch] = useSearch()
  const [sort, setSort] = useSort()
  const debouncedSearch = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS)
  const query = useInfiniteQuery(
    trpc.submissions.approved.infiniteQueryOptions(
      { ...FIRST_QUERIES.works.input, sort, ...(debouncedSearch !== '' && { search: debouncedSearch }) },
      debouncedSearch === '' ? BY_CURSOR : SEARCH_BY_CURSOR,
    ),
  )
  const list = infiniteList(query, (page) => page.submissions)
  const { rows, total, isTotalCapped } = list
  useFailureToast(list.error ?? list.moreError, { fallback: msg('Failed to load community works') })
  return (
    <SectionBody title={t('Community Works')} lead={t('What teams have built, and how it was judged.')}>
      <form
        role="search"
        onSubmit={(event) => event.preventDefault()}
        className="mb-5 grid gap-3 sm:grid-cols-[1fr_14rem]"
      >
        <Field label={t('Search works')} labelHidden>
          <TextInput
            type="search"
            icon={Search}
            maxLength={SEARCH_LENGTH_MAX}
            placeholder={t('Team or challenge')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        <Field label={t('Sort by')} labelHidden>
          {/* The options are its only values. */}
          <Select value={sort} onChange={(event) => setSort(event.target.value as Sort)}>
            <option value="newest">{t('Newest')}</option>
            <option value="oldest">{t('Oldest')}</option>
            <option value="highest">{t('Highest score')}</option>
          </Select>
        </Field>
      </form>
      <output className={clsx('mb-3 block text-sm text-muted', debouncedSearch === '' ? 'empty:hidden' : 'min-h-5')}>
        {debouncedSearch !== '' &&
          !list.isStale &&
          total !== undefined &&
          (isTotalCapped
            ? t('{total} works found', { total: formatCapped(total) })
            : t('{count, plural, one {# work found} other {# works found}}', { count: total }))}
      </output>
      <InfiniteList
        list={list}
        className={GRID}
        skeleton={<Skeletons count={3} layout={GRID} className="h-56 sm:h-96" />}
        failed={t('Error Loading Works')}
        empty={<NoWorks isSearching={debouncedSearch !== ''} onClear={() => setSearch('')} />}
        progress={
          isTotalCapped && total !== undefined
            ? t('{shown} of {total} works shown', { shown: formatNumber(rows.length), total: formatCapped(total) })
            : t('{total, plural, one {{shown} of # work shown} other {{shown} of # works shown}}', {
                shown: formatNumber(rows.length),
                total,
              })
        }
      >
        {(work) => <WorkCard key={work.id} work={work} />}
      </InfiniteList>
    </SectionBody>
  )
}

function NoWorks({ isSearching, onClear }: { isSearching: boolean; onClear: () => void }) {
  const t = useT()
  if (isSearching) {
    return (
      <EmptyState title={t('No works found')} action={<ClearButton onClear={onClear}>{t('Clear search')}</ClearButton>}>
        {t('No approved work matches this team or challenge.')}
      </EmptyState>
    )
  }
  return <EmptyState title={t('No Community Works Yet')}>{t('Work appears here once it is approved.')}</EmptyState>
}
