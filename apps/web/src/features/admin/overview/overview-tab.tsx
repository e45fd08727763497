import type { AdminStats } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../../lib/trpc.ts'
import { Loading, Skeleton } from '../../../ui/states.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { StatCards } from './stat-cards.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { ScoreCharts } from './score-charts.tsx'
import { UrgentItems } from './urgent-items.tsx'
import { WeekCharts } from './week-charts.tsx'

export interface OverviewLinks {
  onPending: () => void
  onBanned: () => void
  onWarned: () => void
  onMails: () => void
  onAudit: () => void
}

/** Statistics of the community, and what needs an administrator. */
export function OverviewTab(links: OverviewLinks) {
  // Admin actions do not refresh the statistics: each visit loads them anew.
  const query = useQuery(trpc.admin.stats.queryOptions(undefined, { refetchOnMount: 'always' }))
  return (
    <>
      <LoadFailure query={query} />
      {query.isPending && (
        <Loading className="grid gap-5">
          <Skeleton className="h-64" />
          <Skeleton className="h-96" />
        </Loading>
      )}
      {query.data && <Stats stats={query.data.stats} {...links} />}
    </>
  )
}

function Stats({ stats, ...links }: OverviewLinks & { stats: AdminStats }) {
  return (
    <div className="grid grid-cols-1 gap-8">
      <StatCards stats={stats} />
      <UrgentItems stats={stats} {...links} />
      <WeekCharts weeks={stats.weeks} />
      <ScoreCharts scores={stats.scores} />
      <RecentActivity entries={stats.recentActivity} onAudit={links.onAudit} />
    </div>
  )
}
