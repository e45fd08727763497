import { failureOf } from '../lib/failure.ts'
import { useT } from '../lib/i18n.ts'
import { trpc } from '../lib/trpc.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx'
import { ApplicationList } from './application-list.tsx'
import { APPLICATIONS_SHOWN } from './applications-shown.ts'

/** What a signed-in member's teams have sent in, and what became of it. `onBrowse` leads to the challenges. */
export function OwnApplications({ onBrowse }: { onBrowse: () => void }) {
  const t = useT()
  const mine = trpc.challenges.myTeamApplications.useQuery({ limit: APPLICATIONS_SHOWN })
  if (mine.isPending) {
    return (
      <Loading className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
      </Loading>
    )
  }
  if (mine.isError && !mine.data) {
    return (
      <ErrorState
        title={t('Your applications could not be loaded')}
        message={failureOf(mine.error).message}
        onRetry={() => void mine.refetch()}
        busy={mine.isFetching}
      />
    )
  }
  if (mine.data.applications.length === 0) {
    return (
      <EmptyState
        title={t('No applications yet')}
        action={<Button onClick={onBrowse}>{t('Browse challenges')}</Button>}
      >
        {t('Once a team of yours applies to a challenge, you follow it here.')}
      </EmptyState>
    )
  }
  return <ApplicationList applications={mine.data.applications} />
}
