import type { User } from '@community/contract'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { useModeration } from '../../../components/moderation.ts'
import { useAction } from '../../../lib/action.ts'
import { useT } from '../../../lib/i18n.ts'
import { trpcClient } from '../../../lib/trpc.ts'

type Target = Pick<User, 'id' | 'name' | 'role'>

/** Actions of administrators on a user. */
export function useUserActions() {
  const { warn, ban } = useModeration('admin')
  return { warn, ban, unban: useUnban(), changeRole: useChangeRole(), deleteUser: useDelete() }
}

function useUnban() {
  const t = useT()
  return useAction(trpcClient.admin.unban, {
    input: ({ id }: Target, { password }) => ({ userId: id, password }),
    password: ({ name }) => ({
      title: t('Unban User'),
      message: t('{name} will be able to sign in again, but will not be added back to any team.', { name }),
      confirmLabel: t('Unban User'),
    }),
    success: t('User unbanned successfully'),
    failure: t('Failed to unban user'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useChangeRole() {
  const t = useT()
  return useAction(trpcClient.admin.setRole, {
    input: ({ id, role }: Target, { password }) => ({
      id,
      role: role === 'admin' ? ('member' as const) : ('admin' as const),
      password,
    }),
    password: ({ name, role }) => {
      const title = role === 'admin' ? t('Make Member') : t('Make Admin')
      const message =
        role === 'admin'
          ? t('{name} will no longer be an administrator.', { name })
          : t('{name} will have full admin access.', { name })
      return { title, message, confirmLabel: title }
    },
    success: t('Role changed'),
    failure: t('Failed to change the role'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useDelete() {
  const t = useT()
  return useAction(trpcClient.admin.deleteUser, {
    input: ({ id }: Target, { password }) => ({ id, password }),
    password: ({ name }) => ({
      title: t('Delete User'),
      message: t(
        '{name}’s account and personal data will be deleted. Their teams’ points and the audit log are kept.',
        {
          name,
        },
      ),
      confirmLabel: t('Delete User'),
      danger: true,
    }),
    success: t('User deleted successfully'),
    failure: t('Failed to delete user'),
    ...AFTER_ADMIN_ACTION,
  })
}

/** Takes a warning back, after a confirmation. */
export function useTakeWarningBack() {
  const t = useT()
  return useAction(trpcClient.admin.takeWarningBack, {
    confirm: {
      title: t('Remove this warning?'),
      message: t('It will be deleted from the account and no longer count.'),
      confirmLabel: t('Remove warning'),
    },
    success: t('Warning removed'),
    failure: t('Failed to remove the warning'),
    ...AFTER_ADMIN_ACTION,
  })
}
