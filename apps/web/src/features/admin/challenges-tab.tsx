import { type Challenge, isOpen } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { challengeFigures } from '../../brand/challenge-figures.ts'
import { DifficultyMark } from '../../brand/challenge-marks.tsx'
import { CATEGORY_WORDS } from '../../brand/challenge-words.ts'
import { emit } from '../../lib/events.ts'
import { formatDate, formatNumber, useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { LoadFailure } from './load-failure.tsx'
import { SearchField, TYPING_REST_MS } from './search-field.tsx'

/** All challenges, inactive ones too. */
export function ChallengesTab() {
  const t = useT()
  const now = useServerNow()
  const columns = useColumns(now)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const wanted = useDebounced(search.trim(), TYPING_REST_MS)
  const list = trpc.admin.listChallenges.useQuery(
    { page, limit: PAGE_SIZE.max, ...(wanted !== '' && { search: wanted }) },
    { placeholderData: keepPreviousData },
  )
  return (
    <div className="grid grid-cols-1 gap-5">
      <Counters now={now} />
      <div className="flex flex-wrap gap-3">
        <SearchField
          label={t('Search challenges')}
          placeholder={t('Title or description')}
          value={search}
          onChange={(value) => {
            setSearch(value)
            setPage(1)
          }}
        />
        <Button variant="primary" onClick={() => emit('openCreateChallengeModal')} className="max-sm:w-full">
          <Plus aria-hidden="true" />
          {t('Create Challenge')}
        </Button>
      </div>
      {list.isPending && (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
      {list.isError && !list.data && (
        <LoadFailure error={list.error} onRetry={() => void list.refetch()} busy={list.isFetching} />
      )}
      {list.data?.challenges.length === 0 && (
        <EmptyState
          title={t('No Challenges Found')}
          action={wanted !== '' && <Button onClick={() => setSearch('')}>{t('Clear search')}</Button>}
        />
      )}
      {list.data && list.data.challenges.length > 0 && (
        <div>
          <DataTable
            caption={t('Challenges')}
            rows={list.data.challenges}
            columns={columns}
            rowKey={(challenge) => challenge.id}
          />
          <Pagination
            label={t('Pages of challenges')}
            page={page}
            totalPages={list.data.pagination.totalPages}
            onPage={setPage}
          />
        </div>
      )}
    </div>
  )
}

/** Figures of the whole list; sums only where the whole list is at hand. */
function Counters({ now }: { now: Date }) {
  const t = useT()
  const all = trpc.admin.listChallenges.useQuery({ page: 1, limit: PAGE_SIZE.max })
  const isPart = all.data !== undefined && all.data.pagination.totalPages > 1
  const figures = all.data && !isPart ? challengeFigures(all.data.challenges, now) : undefined
  const shown = (figure: number | undefined) => (figure === undefined ? '–' : formatNumber(figure))
  return (
    <StatTiles>
      <StatTile label={t('Total Challenges')} value={shown(all.data?.pagination.total)} />
      {!isPart && (
        <>
          <StatTile label={t('Active Challenges')} value={shown(figures?.active)} />
          <StatTile label={t('Expired Challenges')} value={shown(figures?.expired)} />
          <StatTile label={t('Total Points')} value={shown(figures?.points)} />
        </>
      )}
    </StatTiles>
  )
}

function StateBadge({ challenge, now }: { challenge: Challenge; now: Date }) {
  const t = useT()
  if (!challenge.isActive) return <Badge>{t('Inactive')}</Badge>
  return (
    <span className="inline-flex flex-wrap gap-2">
      <Badge tone="ok">{t('Active')}</Badge>
      {!isOpen(challenge, now) && <Badge tone="bad">{t('Expired')}</Badge>}
    </span>
  )
}

function useColumns(now: Date): Column<Challenge>[] {
  const t = useT()
  return [
    {
      key: 'title',
      header: t('Challenge'),
      onCard: 'title',
      className: 'min-w-64',
      cell: (challenge) => (
        <>
          <bdi className="font-semibold">{challenge.title}</bdi>
          <p className="line-clamp-2 max-w-md text-sm text-ink-2">
            <bdi>{challenge.description}</bdi>
          </p>
        </>
      ),
    },
    { key: 'state', header: t('Status'), cell: (challenge) => <StateBadge challenge={challenge} now={now} /> },
    {
      key: 'difficulty',
      header: t('Difficulty'),
      cell: (challenge) => <DifficultyMark difficulty={challenge.difficulty} />,
    },
    { key: 'category', header: t('Category'), cell: (challenge) => t(CATEGORY_WORDS[challenge.category]) },
    { key: 'points', header: t('Points'), align: 'end', cell: (challenge) => formatNumber(challenge.points) },
    {
      key: 'deadline',
      header: t('Due date'),
      cell: ({ deadline }) => (
        <time dateTime={deadline} className="whitespace-nowrap">
          {formatDate(deadline)}
          {/* Apart: between right-to-left words two numbers side by side would change places. */}
          <bdi className="ms-2 inline-block text-sm text-muted md:ms-0 md:block">
            {formatDate(deadline, { hour: '2-digit', minute: '2-digit' })}
          </bdi>
        </time>
      ),
    },
    {
      key: 'submissions',
      header: t('Submissions'),
      align: 'end',
      cell: (challenge) => formatNumber(challenge.submissionCount),
    },
  ]
}
