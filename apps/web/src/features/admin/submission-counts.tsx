import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { useLoadFailureToast } from './load-failure.tsx'

/** How many submissions there are of each status. */
export function SubmissionCounts() {
  const t = useT()
  const total = useQuery(trpc.submissions.list.queryOptions({ limit: 1 }))
  const pending = useQuery(trpc.submissions.list.queryOptions({ limit: 1, status: 'pending' }))
  const approved = useQuery(trpc.submissions.list.queryOptions({ limit: 1, status: 'approved' }))
  const rejected = useQuery(trpc.submissions.list.queryOptions({ limit: 1, status: 'rejected' }))
  useLoadFailureToast(total.error ?? pending.error ?? approved.error ?? rejected.error)
  const tiles = [
    { label: t('Total Submissions'), query: total },
    { label: t('Pending Reviews'), query: pending },
    { label: t('{submissions, select, other {Approved}}'), query: approved },
    { label: t('{submissions, select, other {Rejected}}'), query: rejected },
  ]
  return (
    <StatTiles>
      {tiles.map(({ label, query }) => (
        <StatTile key={label} label={label} value={query.data ? formatNumber(query.data.pagination.total) : '–'} />
      ))}
    </StatTiles>
  )
}
