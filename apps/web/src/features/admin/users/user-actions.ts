import type { User } from '@community/contract'
import { REASON_LENGTH_MAX } from '@community/contract/limits'
import { type Translate, useT } from '../../../lib/i18n.ts'
import { trpc } from '../../../lib/trpc.ts'
import { prompt } from '../../../lib/questions.ts'
import { actAfterQuestion, actWithPassword } from '../admin-action.ts'

export type Target = Pick<User, 'id' | 'name' | 'role'>
type Client = ReturnType<typeof trpc.useUtils>['client']

const askReason = (t: Translate, title: string, message: string) =>
  prompt({
    title,
    message,
    label: t('Reason'),
    confirmLabel: t('Continue'),
    required: true,
    maxLength: REASON_LENGTH_MAX,
    multiline: true,
  })

async function warn(t: Translate, client: Client, { id, name }: Target): Promise<void> {
  const title = t('Give Warning')
  const reason = await askReason(t, title, t('Why is {name} warned? The reason is kept with the account.', { name }))
  if (reason === null) return
  const words = {
    title,
    message: t('{name} will be warned.', { name }),
    confirmLabel: title,
    done: t('Warning given successfully'),
    failed: t('Failed to give warning'),
  }
  await actWithPassword(words, (password) => client.admin.warn.mutate({ userId: id, reason, password }))
}

async function ban(t: Translate, client: Client, { id, name }: Target): Promise<void> {
  const title = t('Ban User')
  const reason = await askReason(t, title, t('Why is {name} banned? The reason is kept with the account.', { name }))
  if (reason === null) return
  const words = {
    title,
    message: t('{name} will be signed out everywhere, leave all teams, and the email goes on the blacklist.', { name }),
    confirmLabel: title,
    danger: true,
    done: t('User banned successfully'),
    failed: t('Failed to ban user'),
  }
  await actWithPassword(words, (password) => client.admin.ban.mutate({ userId: id, reason, password }))
}

async function unban(t: Translate, client: Client, { id, name }: Target): Promise<void> {
  const words = {
    title: t('Unban User'),
    message: t('{name} will be able to sign in again. The teams they left stay left.', { name }),
    confirmLabel: t('Unban User'),
    done: t('User unbanned successfully'),
    failed: t('Failed to unban user'),
  }
  await actWithPassword(words, (password) => client.admin.unban.mutate({ userId: id, password }))
}

async function changeRole(t: Translate, client: Client, { id, name, role }: Target): Promise<void> {
  const makesAdmin = role !== 'admin'
  const words = {
    title: makesAdmin ? t('Make Admin') : t('Make Member'),
    message: makesAdmin
      ? t('{name} will be able to do everything you can do here.', { name })
      : t('{name} will no longer be an administrator.', { name }),
    confirmLabel: makesAdmin ? t('Make Admin') : t('Make Member'),
    done: t('Role changed'),
    failed: t('Failed to change the role'),
  }
  await actWithPassword(words, (password) =>
    client.admin.setRole.mutate({ id, role: makesAdmin ? 'admin' : 'member', password }),
  )
}

const deleteUser = (t: Translate, client: Client, { id, name }: Target): Promise<boolean> =>
  actWithPassword(
    {
      title: t('Delete User'),
      message: t('{name} and their personal data will be deleted. Points of their teams and the audit log stay.', {
        name,
      }),
      confirmLabel: t('Delete User'),
      danger: true,
      done: t('User deleted successfully'),
      failed: t('Failed to delete user'),
    },
    (password) => client.admin.deleteUser.mutate({ id, password }),
  )

const takeWarningBack = (t: Translate, client: Client, warningId: string): Promise<boolean> =>
  actAfterQuestion(
    {
      title: t('Take the warning back?'),
      message: t('It is removed from the account, and counts no longer.'),
      confirmLabel: t('Take back'),
      done: t('Warning removed'),
      failed: t('Failed to take the warning back'),
    },
    () => client.admin.takeWarningBack.mutate({ id: warningId }),
  )

/** What administrators do about a person; each asks what it needs, and tells what came of it. */
export function useUserActions() {
  const t = useT()
  const { client } = trpc.useUtils()
  return {
    warn: (target: Target) => warn(t, client, target),
    ban: (target: Target) => ban(t, client, target),
    unban: (target: Target) => unban(t, client, target),
    changeRole: (target: Target) => changeRole(t, client, target),
    /** Answers whether the account is gone. */
    deleteUser: (target: Target) => deleteUser(t, client, target),
    takeWarningBack: (warningId: string) => takeWarningBack(t, client, warningId),
  }
}
