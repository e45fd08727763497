import type { Submission } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

/** Whatever the member's teams sent in to challenges that are open, newest first: all of it, page by page. */
async function loadApplications({ challenges }: Client): Promise<Submission[]> {
  const all: Submission[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof challenges.myTeamApplications.query>> =
      await challenges.myTeamApplications.query({
        onlyOpen: true,
        limit: PAGE_SIZE.max,
        ...(cursor !== null && { cursor }),
      })
    all.push(...page.applications)
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  return all
}

/** The signed-in member's teams and their applications to what is open, as far as they are known. */
export function useOwnWork() {
  const user = useUser()
  const userId = user?.id ?? ''
  const enabled = user !== null
  const utils = trpc.useUtils()
  const queries = useQueryClient()
  // Its key begins as that of the call does, so that what refreshes the call's answers refreshes this.
  const applicationsQuery = {
    queryKey: [['challenges', 'myTeamApplications'], { type: 'whole', userId }],
    queryFn: () => loadApplications(utils.client),
  }
  const teams = trpc.users.teams.useQuery({ id: userId }, { enabled })
  const applications = useQuery({ ...applicationsQuery, enabled })
  /** Loads what is missing. */
  const load = async () => {
    const [{ teams: all }, sent] = await Promise.all([
      utils.users.teams.ensureData({ id: userId }),
      queries.ensureQueryData(applicationsQuery),
    ])
    return { userId, teams: all, applications: sent }
  }
  const ownWork =
    teams.data && applications.data ? { userId, teams: teams.data.teams, applications: applications.data } : null
  /** Is it for them to hand something in? Administrators join no team; some were in one before. */
  const canSubmit = !isAdmin(user) || (ownWork !== null && ownWork.teams.length > 0)
  return { user, ownWork, load, canSubmit }
}
