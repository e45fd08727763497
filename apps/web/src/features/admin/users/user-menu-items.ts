import type { User } from '@community/contract'
import { Ban, ShieldCheck, ShieldMinus, Trash2, TriangleAlert, Undo2, UserMinus } from 'lucide-react'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { useUserActions } from './user-actions.ts'

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
  const { warn, ban, unban, changeRole, deleteUser } = useUserActions()
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
