import { ChevronDown, LayoutDashboard, LogOut, ShieldCheck, UserRoundCog } from 'lucide-react'
import { Avatar } from '../components/avatar.tsx'
import { openDialog } from '../lib/dialogs.ts'
import { useT } from '../lib/i18n.ts'
import { type CurrentUser, isAdmin } from '../lib/session.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { goToView } from '../lib/navigation/navigation.ts'
import { useSignOut } from './sign-out.ts'

/** Name, email and actions of the signed-in user. */
export function UserMenu({ user }: { user: CurrentUser }) {
  const t = useT()
  const { signOut, isSigningOut } = useSignOut()
  const admin: MenuItem[] = isAdmin(user)
    ? [{ label: t('Admin Panel'), icon: ShieldCheck, onSelect: () => goToView('admin') }]
    : []
  const items: MenuItem[] = [
    { label: t('Dashboard'), icon: LayoutDashboard, onSelect: () => goToView('dashboard') },
    ...admin,
    { label: t('Account settings'), icon: UserRoundCog, onSelect: () => openDialog({ name: 'account' }) },
    { label: t('Sign Out'), icon: LogOut, mirrored: true, onSelect: signOut, separated: true },
  ]
  return (
    <Menu
      items={items}
      header={
        <>
          <p className="font-semibold">
            <bdi>{user.name}</bdi>
          </p>
          <p dir="ltr" className="truncate text-sm text-muted rtl:text-end">
            {user.email}
          </p>
        </>
      }
      trigger={
        <button
          type="button"
          aria-busy={isSigningOut || undefined}
          className="inline-flex min-h-11 items-center gap-1.5 rounded-control ps-1.5 pe-2 hover:bg-sunken aria-busy:animate-pulse aria-busy:cursor-progress motion-reduce:animate-none"
        >
          <span className="sr-only">{t('Account of {name}', { name: user.name })}</span>
          <Avatar person={user} size="sm" />
          <ChevronDown aria-hidden="true" className="size-4" />
        </button>
      }
    />
  )
}
