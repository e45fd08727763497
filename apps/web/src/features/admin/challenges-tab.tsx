import type { CHALLENGE_SORTS, ChallengeTotals } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import {
  CATEGORIES,
  type Category,
  CATEGORY_LABELS,
  DIFFICULTIES,
  type Difficulty,
  DIFFICULTY_LABELS,
} from '../../components/challenge-labels.ts'
import { emit } from '../../lib/events.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { AdminList } from './admin-list.tsx'
import { useChallengeColumns } from './challenge-columns.tsx'
import { FilterSelect } from './filter-select.tsx'
import { useAdminSearch } from './use-admin-search.ts'

/** By what the badge of a row says; "active" as the totals count. */
const STATES = {
  active: { isOpen: true },
  expired: { isActive: true, isOpen: false },
  inactive: { isActive: false },
}

/** The filters of the list; an empty string is no filter. */
interface Filters {
  category: Category | ''
  difficulty: Difficulty | ''
  state: keyof typeof STATES | ''
}

// A copy, because the original is beside schemas, which load zod.
const ORDERS = ['deadline', 'newest', 'title', 'points', 'submissions'] as const satisfies typeof CHALLENGE_SORTS
type SortOrder = (typeof ORDERS)[number]

const CHOICES = {
  category: ['', ...CATEGORIES],
  difficulty: ['', ...DIFFICULTIES],
  state: ['', 'active', 'expired', 'inactive'],
  order: ORDERS,
} as const

/** The filters that are set, as the server's query input. */
const filterInput = ({ category, difficulty, state }: Filters) => ({
  ...(category !== '' && { category }),
  ...(difficulty !== '' && { difficulty }),
  ...(state !== '' && STATES[state]),
})

/** All challenges, inactive ones too. */
export function ChallengesTab() {
  const t = useT()
  const columns = useChallengeColumns(useServerNow())
  const listState = useAdminSearch('challenges', CHOICES)
  const { input, update } = listState
  const { order, ...filters } = listState.filters
  const list = useQuery(
    trpc.admin.listChallenges.queryOptions(
      {
        ...input,
        sort: order,
        ...filterInput(filters),
      },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <div className="grid grid-cols-1 gap-5">
      <Totals totals={list.data?.totals} />
      <AdminList
        listState={listState}
        searchLabel={t('Search challenges')}
        searchPlaceholder={t('Title or description')}
        toolbar={
          <>
            <FilterSelects filters={filters} onChange={update} />
            <SortSelect value={order} onChange={(next) => update({ order: next })} />
            <Button variant="primary" onClick={() => emit('openCreateChallengeModal')} className="max-sm:w-full">
              <Plus aria-hidden="true" />
              {t('Create Challenge')}
            </Button>
          </>
        }
        query={list}
        rows={list.data?.challenges ?? []}
        columns={columns}
        caption={t('Challenges')}
        pagesLabel={t('Pages of challenges')}
        empty={t('No Challenges Found')}
      />
    </div>
  )
}

function FilterSelects({ filters, onChange }: { filters: Filters; onChange: (change: Partial<Filters>) => void }) {
  const t = useT()
  return (
    <>
      <FilterSelect
        label={t('Category')}
        value={filters.category}
        onChange={(category) => onChange({ category })}
        options={[
          { value: '', label: t('All categories') },
          ...CATEGORIES.map((value) => ({ value, label: t(CATEGORY_LABELS[value]) })),
        ]}
      />
      <FilterSelect
        label={t('Difficulty')}
        value={filters.difficulty}
        onChange={(difficulty) => onChange({ difficulty })}
        options={[
          { value: '', label: t('All difficulties') },
          ...DIFFICULTIES.map((value) => ({ value, label: t(DIFFICULTY_LABELS[value]) })),
        ]}
      />
      <FilterSelect
        label={t('Status')}
        value={filters.state}
        onChange={(state) => onChange({ state })}
        options={[
          { value: '', label: t('Any status') },
          { value: 'active', label: t('Active') },
          { value: 'expired', label: t('Expired') },
          { value: 'inactive', label: t('Inactive') },
        ]}
      />
    </>
  )
}

function SortSelect({ value, onChange }: { value: SortOrder; onChange: (order: SortOrder) => void }) {
  const t = useT()
  const options: { value: SortOrder; label: string }[] = [
    { value: 'deadline', label: t('Nearest deadline first') },
    { value: 'newest', label: t('Newest first') },
    { value: 'title', label: t('Title (A to Z)') },
    { value: 'points', label: t('Most points') },
    { value: 'submissions', label: t('Most submissions') },
  ]
  return <FilterSelect label={t('Sort by')} value={value} onChange={onChange} options={options} />
}

/** Totals of all challenges, whatever the filters. */
function Totals({ totals }: { totals: ChallengeTotals | undefined }) {
  const t = useT()
  const formatOrDash = (figure: number | undefined) => (figure === undefined ? '–' : formatNumber(figure))
  return (
    <StatTiles>
      <StatTile label={t('Total Challenges')} value={formatOrDash(totals?.total)} />
      <StatTile label={t('Active Challenges')} value={formatOrDash(totals?.active)} />
      <StatTile label={t('Expired Challenges')} value={formatOrDash(totals?.expired)} />
      <StatTile label={t('Total Points')} value={formatOrDash(totals?.points)} />
    </StatTiles>
  )
}
