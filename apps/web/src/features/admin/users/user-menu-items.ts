import type { User } from '@community/contract'
import { Ban, ShieldCheck, ShieldMinus, Trash2, TriangleAlert, Undo2, UserMinus } from 'lucide-react'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { useUserActions } from './user-actions.ts'

interface MenuCallbacks {
  /** Opens the choice of teams to take the person out of. */
  onPickTeams: () => void
  /** The account is gone. */
  onDeleted?: () => void
}

/** What can be done about somebody: nothing on one's own account; a banned person is not warned. */
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
