import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'
import { storeListValues } from '../../lib/list-values.ts'
import { rememberChoice } from '../../lib/memory-state.ts'
import { goToView } from '../../lib/navigation/navigation.ts'
import { type CurrentUser, isAdmin } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { QueryError } from '../../ui/query-error.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NextStepsCard, StepSkeletons } from './next-steps-card.tsx'
import { StepList } from './step-list.tsx'
import { useDashboard } from './use-dashboard.ts'
import { fillWith, useSuggestedSteps } from './use-suggested-steps.ts'
import { WaitingSteps } from './waiting-steps.tsx'

/** What a signed-in user can do next: first steps without a team, what waits for them with one. */
export function NextSteps({ user }: { user: CurrentUser }) {
  return isAdmin(user) ? <AdminSteps /> : <MemberSteps key={user.id} />
}

function MemberSteps() {
  const t = useT()
  const query = useDashboard()
  const { data } = query
  if (data) return data.dashboard.teams.length === 0 ? <FirstSteps /> : <WaitingSteps dashboard={data.dashboard} />
  return (
    <NextStepsCard>
      <QueryError query={query} className="content-center border-0!" title={t('Failed to load dashboard data')} />
      {query.isPending && <StepSkeletons />}
    </NextStepsCard>
  )
}

function AdminSteps() {
  const t = useT()
  const query = useQuery(trpc.admin.stats.queryOptions())
  const { data } = query
  const count = data?.stats.pendingSubmissions ?? 0
  const suggestions = fillWith(useSuggestedSteps(), 1)
  return (
    <NextStepsCard>
      <QueryError query={query} className="content-center border-0!" title={t('Failed to load admin data')} />
      {query.isPending && <StepSkeletons />}
      {data && (
        <StepList
          steps={[
            {
              id: 'review',
              icon: Hourglass,
              tone: count > 0 ? 'gold' : 'ok',
              title:
                count > 0
                  ? t('{count, plural, one {# submission to review} other {# submissions to review}}', { count })
                  : t('All submissions are reviewed'),
              note: count > 0 ? t('Teams are waiting for your review.') : t('New submissions appear here.'),
              target: () => {
                storeListValues('submissions', { status: 'pending' })
                rememberChoice('adminTab', 'submissions')
                goToView('admin')
              },
            },
            ...suggestions,
          ]}
        />
      )}
    </NextStepsCard>
  )
}
