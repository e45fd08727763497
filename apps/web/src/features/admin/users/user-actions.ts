import type { User } from '@community/contract'
import { Ban, ShieldCheck, ShieldMinus, Trash2, TriangleAlert, Undo2, UserMinus } from 'lucide-react'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { useModeration } from '../../../components/moderation.ts'
import { useAction } from '../../../lib/action.ts'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import { trpcClient } from '../../../lib/trpc.ts'
import type { MenuItem } from '../../../ui/menu.tsx'

type Target = Pick<User, 'id' | 'name' | 'role'>

interface MenuCallbacks {
  /** Opens the dialog that removes the user from teams. */
  onPickTeams: () => void
  /** Called after the account is deleted. */
  onDeleted?: () => void
}

/** The actions on a user: none on the administrator's own account, no warnings for banned users. */
export function useUserMenuItems() {
  const t = useT()
  const me = useUser()
  const { warn, ban } = useModeration('admin')
  const unban = useUnban()
  const changeRole = useChangeRole()
  const deleteUser = useDelete()
  return (user: User, { onPickTeams, onDeleted }: MenuCallbacks): MenuItem[] => {
    if (user.id === me?.id) return []
    const isMember = user.role !== 'admin'
    const remove = async () => {
      if (await deleteUser.run(user)) onDeleted?.()
    }
    const items: (MenuItem | false)[] = [
      !user.isBanned && { label: t('Give Warning'), icon: TriangleAlert, onSelect: () => void warn.run(user) },
      !user.isBanned && { label: t('Ban User'), icon: Ban, danger: true, onSelect: () => void ban.run(user) },
      user.isBanned && {
        label: t('Unban User'),
        icon: Undo2,
        mirrored: true,
        onSelect: () => void unban.run(user),
      },
      { label: t('Remove from Teams'), icon: UserMinus, onSelect: onPickTeams },
      !user.isBanned && {
        label: isMember ? t('Make Admin') : t('Make Member'),
        icon: isMember ? ShieldCheck : ShieldMinus,
        onSelect: () => void changeRole.run(user),
      },
      {
        label: t('Delete User'),
        icon: Trash2,
        danger: true,
        separated: true,
        onSelect: () => void remove(),
      },
    ]
    return items.filter((item) => item !== false)
  }
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
