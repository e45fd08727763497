import type { Submission } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { STATUS_LABELS, type SubmissionStatus } from '../../components/submission-badges.tsx'
import { useT } from '../../lib/i18n.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { trpc } from '../../lib/trpc.ts'
import type { Sort } from '../../ui/data-table.tsx'
import { LazyDialog } from '../../ui/lazy-dialog.tsx'
import { AdminList } from './admin-list.tsx'
import { FilterSelect } from './filter-select.tsx'
import { SubmissionCounts } from './submission-counts.tsx'
import { useSubmissionActions } from './submission-actions.ts'
import { evaluateButtonId, useSubmissionColumns } from './submission-columns.tsx'
import { useAdminSearch } from './use-admin-search.ts'

const DetailsDialog = lazyWithRetry(() => import('./details-dialog.tsx').then((part) => part.DetailsDialog))
const EvaluateDialog = lazyWithRetry(() => import('./evaluate-dialog.tsx').then((part) => part.EvaluateDialog))

const STATUSES = ['pending', 'approved', 'rejected'] as const satisfies readonly SubmissionStatus[]

const CHOICES = { order: ['', 'newest', 'oldest', 'highest'], status: ['', ...STATUSES] } as const
type SortOrder = Exclude<(typeof CHOICES)['order'][number], ''>

/** The column and direction of each order, for the table's headers. */
const SORTS: Record<SortOrder, Sort> = {
  newest: { key: 'submitted', order: 'desc' },
  oldest: { key: 'submitted', order: 'asc' },
  highest: { key: 'score', order: 'desc' },
}

/** The order after a press on a header. Scores have one order: a second press of theirs returns to the newest. */
function orderAfter(pressed: Sort, order: SortOrder): SortOrder {
  if (pressed.key === 'score') return order === 'highest' ? 'newest' : 'highest'
  return pressed.order === 'asc' ? 'oldest' : 'newest'
}

/** After a verdict, moves the focus to the next pending row that can be evaluated, wrapping around. */
function findNextFocus(evaluated: Submission, rows: readonly Submission[]): HTMLElement | null {
  const index = rows.findIndex(({ id }) => id === evaluated.id)
  const others = [...rows.slice(index + 1), ...rows.slice(0, Math.max(index, 0))]
  const next = others.find(({ status, canEvaluate }) => status === 'pending' && canEvaluate !== false)
  return document.getElementById(next ? evaluateButtonId(next) : 'main')
}

type ShownDialog = { dialog: 'details' | 'evaluate'; submission: Submission }

/** All submissions, with details and verdicts. */
export function SubmissionsTab() {
  const t = useT()
  const listState = useAdminSearch('submissions', CHOICES)
  const { input, update } = listState
  const { status } = listState.filters
  // The order in which the evaluation leads through them.
  const order = listState.filters.order || (status === 'pending' ? 'oldest' : 'newest')
  const [shown, setShown] = useState<ShownDialog | null>(null)
  const list = useQuery(
    trpc.submissions.list.queryOptions(
      {
        ...input,
        sort: order,
        ...(status !== '' && { status }),
      },
      { placeholderData: keepPreviousData },
    ),
  )
  const rows = list.data?.submissions ?? []
  const actions = useSubmissionActions()
  const columns = useSubmissionColumns({
    onDetails: (submission) => setShown({ dialog: 'details', submission }),
    onEvaluate: (submission) => setShown({ dialog: 'evaluate', submission }),
    onDelete: (submission) => void actions.remove.run(submission),
  })
  const close = () => setShown(null)
  const closeAfter = async (action: Promise<unknown>) => {
    if (await action) close()
  }
  const sortBy = (next: SortOrder) => update({ order: next })
  return (
    <div className="grid grid-cols-1 gap-5">
      <SubmissionCounts />
      <AdminList
        listState={listState}
        searchLabel={t('Search submissions')}
        searchPlaceholder={t('Team, challenge or submitter')}
        toolbar={
          <>
            <FilterSelect
              label={t('Status')}
              value={status}
              onChange={(next) => update({ status: next })}
              options={[
                { value: '', label: t('All') },
                ...STATUSES.map((value) => ({ value, label: t(STATUS_LABELS[value]) })),
              ]}
            />
            <SortSelect value={order} onChange={sortBy} />
          </>
        }
        query={list}
        rows={rows}
        columns={columns}
        caption={t('Submissions')}
        pagesLabel={t('Pages of submissions')}
        sort={SORTS[order]}
        onSort={(pressed) => sortBy(orderAfter(pressed, order))}
        empty={t('No submissions found')}
      />
      <LazyDialog key={shown?.dialog} onClose={close}>
        {shown?.dialog === 'details' && (
          <DetailsDialog
            submission={shown.submission}
            onClose={close}
            onEvaluate={(submission) => setShown({ dialog: 'evaluate', submission })}
            onReset={(submission) => void closeAfter(actions.resetEvaluation.run(submission))}
            onDelete={(submission) => void closeAfter(actions.remove.run(submission))}
          />
        )}
        {shown?.dialog === 'evaluate' && (
          <EvaluateDialog
            submission={shown.submission}
            search={input.search}
            findNextFocus={(evaluated) => findNextFocus(evaluated, rows)}
            onClose={close}
          />
        )}
      </LazyDialog>
    </div>
  )
}

function SortSelect({ value, onChange }: { value: SortOrder; onChange: (order: SortOrder) => void }) {
  const t = useT()
  const options: { value: SortOrder; label: string }[] = [
    { value: 'newest', label: t('Newest first') },
    { value: 'oldest', label: t('Oldest first') },
    { value: 'highest', label: t('Highest score') },
  ]
  return <FilterSelect label={t('Sort by')} value={value} onChange={onChange} options={options} />
}
