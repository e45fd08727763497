import type { Challenge } from '@community/contract'
import { type Translate, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { confirm } from '../../lib/questions.ts'
import { actWithPassword } from './admin-action.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']
type Named = Pick<Challenge, 'id' | 'title'>

const activate = (t: Translate, client: Client, { id, title }: Named) =>
  actWithPassword(
    {
      title: t('Activate Challenge'),
      message: t('“{title}” will be shown, and open until its deadline.', { title }),
      confirmLabel: t('Activate'),
      done: t('Challenge activated successfully'),
      failed: t('Failed to activate challenge'),
    },
    (password) => client.admin.activateChallenge.mutate({ id, password }),
  )

const deactivate = (t: Translate, client: Client, { id, title }: Named) =>
  actWithPassword(
    {
      title: t('Deactivate Challenge'),
      message: t('“{title}” will be hidden and take no more work.', { title }),
      confirmLabel: t('Deactivate'),
      done: t('Challenge deactivated successfully'),
      failed: t('Failed to deactivate challenge'),
    },
    (password) => client.admin.deactivateChallenge.mutate({ id, password }),
  )

async function remove(t: Translate, client: Client, { id, title }: Named): Promise<void> {
  const isSure = await confirm({
    title: t('Delete Challenge'),
    message: t('“{title}” will be deleted with its submissions and files, and the points earned in it.', { title }),
    confirmLabel: t('Delete Challenge'),
    danger: true,
  })
  if (!isSure) return
  const words = {
    title: t('Confirm with your password'),
    message: t('Deleting “{title}” cannot be undone.', { title }),
    confirmLabel: t('Delete Challenge'),
    danger: true,
    done: t('Challenge deleted successfully'),
    failed: t('Failed to delete challenge'),
  }
  await actWithPassword(words, (password) => client.admin.deleteChallenge.mutate({ id, password }))
}

/** What administrators do about a challenge; each asks for the password, and tells what came of it. */
export function useChallengeActions() {
  const t = useT()
  const { client } = trpc.useUtils()
  return {
    activate: (challenge: Named) => activate(t, client, challenge),
    deactivate: (challenge: Named) => deactivate(t, client, challenge),
    remove: (challenge: Named) => remove(t, client, challenge),
  }
}
