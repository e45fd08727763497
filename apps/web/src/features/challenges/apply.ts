import type { Challenge } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { type Standing, standingsOf, whyNobodyCanApply } from './standing.ts'

/** As many as one answer holds: who has more has the server's word when they apply. */
const NEWEST_APPLICATIONS = { limit: PAGE_SIZE.max }

/** A refusal's toast: the titles the specification gives to two of them, 'Error' to any other. */
export function toastRefusal(error: unknown): void {
  const { code } = failureOf(error)
  const title =
    code === 'CHEF_REQUIRED'
      ? t('Chef Required')
      : code === 'ALREADY_APPLIED' || code === 'MEMBER_ALREADY_APPLIED'
        ? t('Already Applied')
        : t('Error')
  toast.failure(error, title, t('Failed to submit application'))
}

function toastWhyNot(code: string): void {
  if (code === 'CHEF_REQUIRED') {
    toast.error(
      t('Chef Required'),
      t('Only team chefs can apply to challenges. Create a team or become a chef to apply.'),
    )
  } else if (code === 'ALREADY_APPLIED') {
    toast.warning(t('Already Applied'), t('One of your teams has already applied to this challenge'))
  } else if (code === 'TEAM_INACTIVE') toast.error(t('Error'), t('This team is not active'))
  else toast.error(t('Error'), t('The deadline of this challenge has passed'))
}

/** The signed-in member's teams and applications, as far as they are loaded. */
export function useOwn() {
  const user = useUser()
  const userId = user?.id ?? ''
  const enabled = user !== null && user.role !== 'admin'
  const teams = trpc.users.teams.useQuery({ id: userId }, { enabled })
  const applications = trpc.challenges.myTeamApplications.useQuery(NEWEST_APPLICATIONS, { enabled })
  const utils = trpc.useUtils()
  /** Loads what is missing. */
  const ensure = async () => {
    const [{ teams: all }, { applications: sent }] = await Promise.all([
      utils.users.teams.ensureData({ id: userId }),
      utils.challenges.myTeamApplications.ensureData(NEWEST_APPLICATIONS),
    ])
    return { userId, teams: all, applications: sent }
  }
  const known =
    teams.data && applications.data
      ? { userId, teams: teams.data.teams, applications: applications.data.applications }
      : null
  return { user, known, ensure }
}

/** What pressing Apply does: the dialog for somebody who can, and for others the reason they cannot. */
export function useApply(onReady: (challenge: Challenge, standings: Standing[]) => void) {
  const { user, ensure } = useOwn()
  return async (challenge: Challenge, now: Date): Promise<void> => {
    if (!user) return emit('openSignInPrompt', { reason: t('Please sign in to apply to challenges.') })
    try {
      const standings = standingsOf(challenge, await ensure(), now)
      const refusal = whyNobodyCanApply(standings)
      if (refusal) toastWhyNot(refusal)
      else onReady(challenge, standings)
    } catch (error) {
      toast.failure(error, t('Error'), t('Failed to submit application'))
    }
  }
}
