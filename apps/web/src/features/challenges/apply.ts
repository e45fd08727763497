import { appErrors, type Challenge, type Message } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { openDialog } from '../../lib/dialogs.ts'
import { AppError, type ClientFailure } from '../../lib/failure.ts'
import { msg, t } from '../../lib/i18n.ts'
import type { FailureToast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { useOwnWork } from './own-work.ts'
import { type TeamEligibility, eligibilitiesOf, whyNobodyCanApply } from './eligibility.ts'

/** The toast of a failed application: the specification gives two errors a title of their own. */
export function applyFailureToast({ code }: ClientFailure, fallback = t('Failed to submit application')): FailureToast {
  if (code === 'CHEF_REQUIRED') return { title: t('Chef Required'), fallback }
  const isTaken = code === 'ALREADY_APPLIED' || code === 'MEMBER_ALREADY_APPLIED'
  return { title: isTaken ? t('Already Applied') : t('Error'), fallback }
}

type Eligibilities = readonly TeamEligibility[]
type OnReady = (challenge: Challenge, eligibilities: TeamEligibility[]) => void

/** The user is in no team. */
class NoTeamError extends AppError {}

/** Returns the handler of a challenge's button: calls `onReady`, or shows why the user cannot go on. */
function useStart(
  name: 'apply' | 'submit',
  whyNot: (eligibilities: Eligibilities) => (Message & { code?: string }) | null,
  onReady: OnReady,
) {
  const { user, load } = useOwnWork()
  const settings = useQuery(trpc.system.settings.queryOptions())
  const canCreate = settings.data?.settings.teamCreationEnabled !== false
  const procedure = {
    mutate: async ({ challenge, now }: { challenge: Challenge; now: Date }) => {
      const eligibilities = eligibilitiesOf(challenge, await load(), now)
      const reason = whyNot(eligibilities)
      if (!reason) return eligibilities
      const ReasonError = eligibilities.length === 0 ? NoTeamError : AppError
      throw new ReasonError(reason.message, reason.code === undefined ? {} : { code: reason.code })
    },
  }
  const { run } = useAction(procedure, {
    failure: (failure, _target, error) => ({
      ...applyFailureToast(failure),
      ...(error instanceof NoTeamError &&
        canCreate && { action: { label: t('Create Team'), run: () => openDialog({ name: 'createTeam' }) } }),
      ...(failure.code === appErrors.alreadyApplied.code && { type: 'warning' }),
    }),
    onSuccess: (eligibilities, { challenge }) => onReady(challenge, eligibilities),
  })
  return async (challenge: Challenge, now: Date): Promise<void> => {
    if (user) await run({ challenge, now })
    else {
      const reason = t('Please sign in to apply to challenges.')
      openDialog({ name: 'signInPrompt', reason, intent: { name, challengeId: challenge.id } })
    }
  }
}

/** The handler of the Apply button. */
export const useApply = (onReady: OnReady) => useStart('apply', whyNobodyCanApply, onReady)

const NO_TEAM = { message: msg('You are not in a team yet. Join one or create your own.') }

/** The handler of the Submit Project button, for members of a team. */
export const useSubmitProject = (onReady: OnReady) =>
  useStart('submit', ({ length }) => (length === 0 ? NO_TEAM : null), onReady)
