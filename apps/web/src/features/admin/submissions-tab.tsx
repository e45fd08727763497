import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { STATUS_WORDS, type SubmissionStatus } from '../../brand/submission-marks.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Field } from '../../ui/field.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Select } from '../../ui/select.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { LoadFailure } from './load-failure.tsx'
import { SearchField, TYPING_REST_MS } from './search-field.tsx'
import { useSubmissionColumns } from './submission-columns.tsx'

const DetailsDialog = lazy(() => import('./details-dialog.tsx').then((part) => ({ default: part.DetailsDialog })))
const EvaluateDialog = lazy(() => import('./evaluate-dialog.tsx').then((part) => ({ default: part.EvaluateDialog })))

const STATUSES: readonly SubmissionStatus[] = ['pending', 'approved', 'rejected']

type Shown = { dialog: 'details' | 'evaluate'; submission: Submission }

/** All submissions, to look at and to judge. */
export function SubmissionsTab() {
  const t = useT()
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<SubmissionStatus | ''>('')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Shown | null>(null)
  const wanted = useDebounced(search.trim(), TYPING_REST_MS)
  const list = trpc.submissions.list.useQuery(
    { page, limit: PAGE_SIZE.max, ...(wanted !== '' && { search: wanted }), ...(status !== '' && { status }) },
    { placeholderData: keepPreviousData },
  )
  const columns = useSubmissionColumns({
    onDetails: (submission) => setShown({ dialog: 'details', submission }),
    onEvaluate: (submission) => setShown({ dialog: 'evaluate', submission }),
  })
  const close = () => setShown(null)
  const clear = () => {
    setSearch('')
    setStatus('')
    setPage(1)
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <Counters />
      <div className="flex flex-wrap gap-3">
        <SearchField
          label={t('Search submissions')}
          placeholder={t('Team, challenge or submitter')}
          value={search}
          onChange={(value) => {
            setSearch(value)
            setPage(1)
          }}
        />
        <Field label={t('Status')} labelHidden className="max-sm:grow">
          <Select
            value={status}
            onChange={(event) => {
              // The options are its only values.
              setStatus(event.target.value as SubmissionStatus | '')
              setPage(1)
            }}
          >
            <option value="">{t('All')}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(STATUS_WORDS[one])}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {list.isPending && (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
      {list.isError && !list.data && (
        <LoadFailure error={list.error} onRetry={() => void list.refetch()} busy={list.isFetching} />
      )}
      {list.data?.submissions.length === 0 && (
        <EmptyState
          title={t('No submissions found')}
          action={(wanted !== '' || status !== '') && <Button onClick={clear}>{t('Clear filters')}</Button>}
        />
      )}
      {list.data && list.data.submissions.length > 0 && (
        <div>
          <DataTable
            caption={t('Submissions')}
            rows={list.data.submissions}
            columns={columns}
            rowKey={(submission) => submission.id}
          />
          <Pagination
            label={t('Pages of submissions')}
            page={page}
            totalPages={list.data.pagination.totalPages}
            onPage={setPage}
          />
        </div>
      )}
      <Suspense fallback={null}>
        {shown?.dialog === 'details' && (
          <DetailsDialog
            submission={shown.submission}
            onClose={close}
            onEvaluate={() => setShown({ ...shown, dialog: 'evaluate' })}
          />
        )}
        {shown?.dialog === 'evaluate' && <EvaluateDialog submission={shown.submission} onClose={close} />}
      </Suspense>
    </div>
  )
}

function Counters() {
  const t = useT()
  const total = trpc.submissions.list.useQuery({ limit: 1 })
  const pending = trpc.submissions.list.useQuery({ limit: 1, status: 'pending' })
  const approved = trpc.submissions.list.useQuery({ limit: 1, status: 'approved' })
  const rejected = trpc.submissions.list.useQuery({ limit: 1, status: 'rejected' })
  const tiles = [
    { label: t('Total Submissions'), query: total },
    { label: t('Pending Reviews'), query: pending },
    { label: t('Approved'), query: approved },
    { label: t('Rejected'), query: rejected },
  ]
  return (
    <StatTiles>
      {tiles.map(({ label, query }) => (
        <StatTile key={label} label={label} value={query.data ? formatNumber(query.data.pagination.total) : '–'} />
      ))}
    </StatTiles>
  )
}
