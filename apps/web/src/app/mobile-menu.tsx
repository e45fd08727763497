import { LayoutDashboard, LogOut, ShieldCheck, UserRoundCog } from 'lucide-react'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { Avatar } from '../components/avatar.tsx'
import { openDialog } from '../lib/dialogs.ts'
import { emit } from '../lib/events.ts'
import { useT } from '../lib/i18n.ts'
import { type CurrentUser, isAdmin, useUser } from '../lib/session.ts'
import { toast, useToasts } from '../lib/toasts.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { SectionLinks } from './section-links.tsx'
import { goToView } from '../lib/navigation/navigation.ts'
import { ThemeSelect } from './preferences.tsx'
import { preloadSignIn } from './preload-sign-in.ts'
import { useSignOut } from './sign-out.ts'

/** All but errors: toasts would cover the buttons at the bottom of the menu. */
function closeReadToasts(): void {
  for (const { id, type } of useToasts.getState()) if (type !== 'error') toast.dismiss(id)
}

/** The menu of narrow screens: welcome line, sections, account. */
export function MobileMenu({ onClose }: { onClose: () => void }) {
  const t = useT()
  const user = useUser()
  useEffect(closeReadToasts, [])
  return (
    <Sheet onClose={onClose} title={t('Menu')}>
      <div className="flex min-h-16 items-center gap-3 border-b border-line ps-4 pe-14">
        {user && <Avatar person={user} size="sm" />}
        <div className="min-w-0 py-3">
          <p className="font-semibold">
            {user ? t('Welcome, {name}', { name: user.name }) : t('Welcome to the community')}
          </p>
          {user && (
            <p dir="ltr" className="truncate text-sm text-muted rtl:text-end">
              {user.email}
            </p>
          )}
        </div>
      </div>
      <nav aria-label={t('Sections')} className="p-2">
        <SectionLinks
          onGo={onClose}
          linkClassName="flex min-h-12 items-center rounded-control px-3 font-medium text-ink hover:bg-sunken aria-[current]:bg-primary-soft"
        />
      </nav>
      <div className="mt-auto grid gap-2 border-t border-line p-4">
        <ThemeSelect />
        {user ? <Account user={user} onClose={onClose} /> : <SignIn onClose={onClose} />}
      </div>
    </Sheet>
  )
}

function SignIn({ onClose }: { onClose: () => void }) {
  const t = useT()
  const open = (mode: 'login' | 'register') => () => {
    onClose()
    emit('openAuthModal', { mode })
  }
  return (
    <>
      <Button {...preloadSignIn} onClick={open('login')}>
        {t('Sign In')}
      </Button>
      <Button variant="primary" {...preloadSignIn} onClick={open('register')}>
        {t('Sign Up')}
      </Button>
    </>
  )
}

function Account({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
  const t = useT()
  const { signOut, isSigningOut } = useSignOut()
  const go = (view: 'dashboard' | 'admin') => () => {
    // Before the focus moves to the view: the page behind an open dialog is inert.
    flushSync(onClose)
    goToView(view)
  }
  return (
    <>
      <Button onClick={go('dashboard')}>
        <LayoutDashboard aria-hidden="true" />
        {t('Dashboard')}
      </Button>
      {isAdmin(user) && (
        <Button onClick={go('admin')}>
          <ShieldCheck aria-hidden="true" />
          {t('Admin Panel')}
        </Button>
      )}
      <Button
        onClick={() => {
          onClose()
          openDialog({ name: 'account' })
        }}
      >
        <UserRoundCog aria-hidden="true" />
        {t('Account settings')}
      </Button>
      <Button variant="ghost" busy={isSigningOut} onClick={signOut}>
        <LogOut aria-hidden="true" className="rtl:-scale-x-100" />
        {t('Sign Out')}
      </Button>
    </>
  )
}
