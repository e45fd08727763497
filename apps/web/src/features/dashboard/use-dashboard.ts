import { msg } from '../../lib/i18n.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { useInvalidateOn } from '../../lib/invalidate-on.ts'
import { trpc } from '../../lib/trpc.ts'

const DASHBOARD_QUERIES = ['users', 'teams', 'challenges.myTeamApplications']

/** The dashboard's data, reloaded on each visit and after a submission or a new team. Failures are also shown as toasts. */
export function useDashboard() {
  const query = trpc.users.dashboard.useQuery(undefined, { refetchOnMount: 'always' })
  useInvalidateOn('submissionCreated', DASHBOARD_QUERIES)
  useInvalidateOn('teamCreated', DASHBOARD_QUERIES)
  useFailureToast(query.error, msg('Failed to load dashboard data'))
  return query
}
