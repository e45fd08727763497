import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { appName } from '../lib/app-name.ts'
import { emit } from '../lib/events.ts'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { useUser } from '../lib/session.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Khatam } from '../ui/khatam.tsx'
import { useMediaQuery } from '../ui/media-query.ts'
import { ErrorBoundary, SilentErrorBoundary } from '../ui/error-boundary.tsx'
import { onSectionLink, SectionLinks } from './section-links.tsx'
import { LanguageSelect, ThemeToggle } from './preferences.tsx'
import { preloadSignIn } from './preload-sign-in.ts'

const loadMobileMenu = () => import('./mobile-menu.tsx').then((part) => part.MobileMenu)
const MobileMenu = lazyWithRetry(loadMobileMenu)
const NotificationBell = lazyWithRetry(() => import('./member.ts').then((part) => part.NotificationBell))
const UserMenu = lazyWithRetry(() => import('./user-menu.tsx').then((part) => part.UserMenu))

function BrandTitle() {
  const t = useT()
  return (
    <a
      href="/"
      onClick={onSectionLink('home')}
      className="inline-flex min-h-11 min-w-0 items-center gap-1.5 rounded-control min-[22.5rem]:gap-2.5"
    >
      <Khatam className="size-7 shrink-0 text-primary" />
      <span dir="auto" className="truncate font-display text-base font-bold leading-relaxed min-[24rem]:text-xl">
        {appName(t)}
      </span>
    </a>
  )
}

function AuthButtons() {
  const t = useT()
  return (
    <>
      <Button variant="ghost" {...preloadSignIn} onClick={() => emit('openAuthModal', { mode: 'login' })}>
        {t('Sign In')}
      </Button>
      <Button variant="primary" {...preloadSignIn} onClick={() => emit('openAuthModal', { mode: 'register' })}>
        {t('Sign Up')}
      </Button>
    </>
  )
}

/** Reserves a button's space while its script loads; shows nothing if that fails. */
function LazyButtonSlot({ children }: { children: ReactNode }) {
  return <SilentErrorBoundary loading={<span className="size-11" />}>{children}</SilentErrorBoundary>
}

/** The bar at the top: brand, sections, language, theme, account. */
export function Header() {
  const t = useT()
  const user = useUser()
  // The breakpoint `nav` of the styles. Narrower screens show the account's links in the mobile menu and do not load `UserMenu`.
  const isWide = useMediaQuery('(min-width: 70rem)')
  const [menuOpen, setMenuOpen] = useState(false)
  const closeMenu = () => setMenuOpen(false)
  return (
    // Named, so that the leaderboard's rows move behind the header, not over it.
    <header className="sticky top-0 z-30 border-b border-line bg-bg [view-transition-name:header]">
      <div className="mx-auto flex h-(--header) max-w-page items-center gap-1 px-4 min-[22.5rem]:gap-2 sm:px-6">
        <BrandTitle />
        <nav aria-label={t('Sections')} className="ms-auto hidden shrink-0 nav:block">
          <SectionLinks
            className="flex items-center"
            linkClassName="flex min-h-11 items-center rounded-control px-2.5 font-medium text-ink-2 transition-colors hover:text-ink xl:px-3"
          />
        </nav>
        <div className="ms-auto flex shrink-0 items-center gap-1 nav:ms-2">
          <LanguageSelect />
          {/* Phones have no room for it beside the bell; the mobile menu has the theme too. */}
          <span className={user ? 'hidden sm:contents' : 'contents'}>
            <ThemeToggle />
          </span>
          {user && (
            <LazyButtonSlot>
              <NotificationBell key={user.id} />
            </LazyButtonSlot>
          )}
        </div>
        <div className="hidden shrink-0 items-center gap-2 whitespace-nowrap nav:flex">
          {!user && <AuthButtons />}
          {user && isWide && (
            <LazyButtonSlot>
              <UserMenu user={user} />
            </LazyButtonSlot>
          )}
        </div>
        <IconButton
          label={t('Menu')}
          aria-expanded={menuOpen}
          aria-haspopup="dialog"
          onPointerDown={() => void loadMobileMenu()}
          onClick={() => setMenuOpen(true)}
          className="-me-2.5 shrink-0 nav:hidden"
        >
          <MenuIcon aria-hidden="true" />
        </IconButton>
      </div>
      {menuOpen && (
        <ErrorBoundary onClose={closeMenu}>
          <MobileMenu onClose={closeMenu} />
        </ErrorBoundary>
      )}
    </header>
  )
}
