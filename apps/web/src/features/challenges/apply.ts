import type { Challenge } from '@community/contract'
import { openDialog, type SignInIntent } from '../../lib/dialogs.ts'
import type { ClientFailure } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import type { FailureToast } from '../../lib/query-client.ts'
import { toast } from '../../lib/toasts.ts'
import { useOwnWork } from './own-work.ts'
import { type TeamEligibility, eligibilitiesOf, whyNobodyCanApply } from './eligibility.ts'

/** The toast of a failed application: the specification gives two errors a title of their own. */
export function applyFailureToast({ code }: ClientFailure, fallback = t('Failed to submit application')): FailureToast {
  if (code === 'CHEF_REQUIRED') return { title: t('Chef Required'), fallback }
  const isTaken = code === 'ALREADY_APPLIED' || code === 'MEMBER_ALREADY_APPLIED'
  return { title: isTaken ? t('Already Applied') : t('Error'), fallback }
}

function showIneligibleToast(code: string): void {
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

const askToSignIn = (intent: SignInIntent): void =>
  openDialog({ name: 'signInPrompt', reason: t('Please sign in to apply to challenges.'), intent })

/** Returns the handler of the Apply button: opens the dialog, or shows why the user cannot apply. */
export function useApply(onReady: (challenge: Challenge, eligibilities: TeamEligibility[]) => void) {
  const { user, load } = useOwnWork()
  return async (challenge: Challenge, now: Date): Promise<void> => {
    if (!user) return askToSignIn({ name: 'apply', challengeId: challenge.id })
    try {
      const eligibilities = eligibilitiesOf(challenge, await load(), now)
      const reason = whyNobodyCanApply(eligibilities)
      if (reason) showIneligibleToast(reason)
      else onReady(challenge, eligibilities)
    } catch (error) {
      toast.failure(error, t('Error'), t('Failed to submit application'))
    }
  }
}

/** Returns the handler of the Submit Project button: opens the dialog for members of a team. */
export function useSubmitProject(onReady: (challenge: Challenge, eligibilities: TeamEligibility[]) => void) {
  const { user, load } = useOwnWork()
  return async (challenge: Challenge, now: Date): Promise<void> => {
    if (!user) return askToSignIn({ name: 'submit', challengeId: challenge.id })
    try {
      const ownWork = await load()
      if (ownWork.teams.length > 0) onReady(challenge, eligibilitiesOf(challenge, ownWork, now))
      else toast.error(t('Error'), t('You are not in a team yet. Join one or create your own.'))
    } catch (error) {
      toast.failure(error, t('Error'), t('Failed to submit application'))
    }
  }
}
