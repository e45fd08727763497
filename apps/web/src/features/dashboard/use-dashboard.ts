import { useEffect } from 'react'
import { useListen } from '../../lib/events.ts'
import { t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'

// Not the hook's `t`: a change of language is no new failure.
const tell = (error: unknown) => toast.failure(error, t('Error'), t('Failed to load dashboard data'))

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
  useListen('teamsChanged', refresh)
  const { error } = query
  useEffect(() => {
    if (error) tell(error)
  }, [error])
  return query
}
