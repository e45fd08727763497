import type { Challenge } from '@community/contract'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'

type ChallengeRef = Pick<Challenge, 'id' | 'title'>

/** Actions of administrators on a challenge. */
export function useChallengeActions() {
  return { activate: useActivate(), deactivate: useDeactivate(), remove: useDelete() }
}

function useActivate() {
  const t = useT()
  return useAction(trpcClient.admin.activateChallenge, {
    input: ({ id }: ChallengeRef, { password }) => ({ id, password }),
    password: ({ title }) => ({
      title: t('Activate Challenge'),
      message: t('“{title}” will be visible, and open until its deadline.', { title }),
      confirmLabel: t('Activate'),
    }),
    success: t('Challenge activated successfully'),
    failure: t('Failed to activate challenge'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useDeactivate() {
  const t = useT()
  return useAction(trpcClient.admin.deactivateChallenge, {
    input: ({ id }: ChallengeRef, { password }) => ({ id, password }),
    password: ({ title }) => ({
      title: t('Deactivate Challenge'),
      message: t('“{title}” will be hidden and accept no more submissions.', { title }),
      confirmLabel: t('Deactivate'),
    }),
    success: t('Challenge deactivated successfully'),
    failure: t('Failed to deactivate challenge'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useDelete() {
  const t = useT()
  return useAction(trpcClient.admin.deleteChallenge, {
    input: ({ id }: ChallengeRef, { password }) => ({ id, password }),
    confirm: ({ title }) => ({
      title: t('Delete Challenge'),
      message: t('“{title}” will be deleted with its submissions, files and the points earned in it.', { title }),
      confirmLabel: t('Delete Challenge'),
      danger: true,
    }),
    password: ({ title }) => ({
      title: t('Confirm with your password'),
      message: t('Deleting “{title}” cannot be undone.', { title }),
      confirmLabel: t('Delete Challenge'),
      danger: true,
    }),
    success: t('Challenge deleted successfully'),
    failure: t('Failed to delete challenge'),
    ...AFTER_ADMIN_ACTION,
  })
}
