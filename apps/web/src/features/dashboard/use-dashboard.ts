import { useListen } from '../../lib/events.ts'
import { msg } from '../../lib/i18n.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { trpc } from '../../lib/trpc.ts'

/** The dashboard's data, loaded anew at each visit and whenever a submission or a team was made. A failure is also told as a toast. */
export function useDashboard() {
  const utils = trpc.useUtils()
  const query = trpc.users.dashboard.useQuery(undefined, { refetchOnMount: 'always' })
  const refresh = () => {
    void utils.users.invalidate()
    void utils.teams.invalidate()
    void utils.challenges.myTeamApplications.invalidate()
  }
  useListen('submissionCreated', refresh)
  useListen('teamCreated', refresh)
  useFailureToast(query.error, msg('Failed to load dashboard data'))
  return query
}
