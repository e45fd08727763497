import { useQuery } from '@tanstack/react-query'
import { useInvalidateOn } from '../../lib/invalidate-on.ts'
import { trpc } from '../../lib/trpc.ts'

const DASHBOARD_QUERIES = ['users', 'teams', 'challenges.myTeamApplications']

/** The user's teams and work, reloaded on each visit and after a submission or a new team. */
export function useDashboard() {
  const query = useQuery(trpc.users.dashboard.queryOptions(undefined, { refetchOnMount: 'always' }))
  useInvalidateOn('submissionCreated', DASHBOARD_QUERIES)
  useInvalidateOn('teamCreated', DASHBOARD_QUERIES)
  return query
}
