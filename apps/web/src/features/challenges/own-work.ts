import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'

/** Loads every page of the applications of the user's teams to open challenges, newest first. */
async function loadApplications(): Promise<Submission[]> {
  const { myTeamApplications } = trpcClient.challenges
  const all: Submission[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof myTeamApplications.query>> = await myTeamApplications.query({
      onlyOpen: true,
      limit: PAGE_SIZE.max,
      ...(cursor !== null && { cursor }),
    })
    all.push(...page.applications)
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  return all
}

/** The signed-in user's teams and their applications to open challenges. */
export function useOwnWork() {
  const user = useUser()
  const userId = user?.id ?? ''
  const enabled = user !== null
  const queryClient = useQueryClient()
  // Has the key prefix of the procedure, so that invalidating that invalidates this.
  const applicationsQuery = {
    queryKey: [['challenges', 'myTeamApplications'], { type: 'whole', userId }],
    queryFn: loadApplications,
  }
  // Not `users.teams`: a member's next steps in the hero load the dashboard anyway.
  const dashboard = useQuery(trpc.users.dashboard.queryOptions(undefined, { enabled }))
  const applications = useQuery({ ...applicationsQuery, enabled })
  const load = async () => {
    const [data, sent] = await Promise.all([
      queryClient.ensureQueryData(trpc.users.dashboard.queryOptions()),
      queryClient.ensureQueryData(applicationsQuery),
    ])
    return { userId, teams: data.dashboard.teams, applications: sent }
  }
  const ownWork =
    dashboard.data && applications.data
      ? { userId, teams: dashboard.data.dashboard.teams, applications: applications.data }
      : null
  /** Administrators cannot join teams, but may have been in one before. */
  const canSubmit = !isAdmin(user) || (ownWork !== null && ownWork.teams.length > 0)
  return { user, ownWork, load, canSubmit }
}
