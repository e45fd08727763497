import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { appName } from '../lib/app-name.ts'
import { type Translate, useT, withAdminMessages } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { queryClient } from '../lib/query-client.ts'
import { formatUnread, useUnread } from '../lib/unread.ts'
import { Dialogs } from './dialogs.tsx'
import { ErrorBoundary, SilentErrorBoundary } from '../ui/error-boundary.tsx'
import { Header } from './header.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { useIdle } from './idle.ts'
import { useIsInitialSectionLoading, useNavigationEvents, useView } from '../lib/navigation/navigation.ts'
import type { View } from '../lib/navigation/route.ts'
import { PublicPage, SectionSkeleton } from './public-page.tsx'
import { SessionKeeper } from './session-keeper.tsx'

const GoogleOtpPage = lazyWithRetry(() =>
  import('../features/auth/google-otp-page.tsx').then((part) => part.GoogleOtpPage),
)
const Dashboard = lazyWithRetry(() => import('../features/dashboard/index.tsx').then((part) => part.Dashboard))
const AdminDashboard = lazyWithRetry(() =>
  withAdminMessages(import('../features/admin/index.tsx')).then((part) => part.AdminDashboard),
)
const TextPage = lazyWithRetry(() => import('../features/pages/index.tsx').then((part) => part.TextPage))
const NotificationsPage = lazyWithRetry(() =>
  import('../features/notifications/index.tsx').then((part) => part.NotificationsPage),
)
const EmailPreferencesPage = lazyWithRetry(() =>
  import('../features/account/email-preferences-page.tsx').then((part) => part.EmailPreferencesPage),
)
const UnavailableNotice = lazyWithRetry(() => import('./later.ts').then((part) => part.UnavailableNotice))
const Footer = lazyWithRetry(() => import('./later.ts').then((part) => part.Footer))
const Overlays = lazyWithRetry(() => import('./later.ts').then((part) => part.Overlays))

/** The only path besides `/`. */
const EXTERNAL_SIGN_IN_PATH = '/auth/google-otp'

/** `isAvailable`: whether the backend answered the availability check. */
export function App({ isAvailable }: { isAvailable: boolean }) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionKeeper />
        {window.location.pathname === EXTERNAL_SIGN_IN_PATH ? <ExternalSignIn /> : <Page isAvailable={isAvailable} />}
        {/* Toasts and questions before this loads wait in their stores. */}
        <Later part={<Overlays />} />
      </QueryClientProvider>
    </StrictMode>
  )
}

function ExternalSignIn() {
  return (
    <main className="min-h-svh">
      <ErrorBoundary>
        <GoogleOtpPage />
      </ErrorBoundary>
    </main>
  )
}

function Page({ isAvailable }: { isAvailable: boolean }) {
  const t = useT()
  const view = useView()
  const isInitialSectionLoading = useIsInitialSectionLoading()
  useNavigationEvents()
  return (
    <>
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
        className="sr-only focus:not-sr-only focus:fixed focus:start-4 focus:top-3 focus:z-60 focus:rounded-control focus:bg-surface focus:px-4 focus:py-2 focus:shadow-float"
      >
        {t('Skip to content')}
      </a>
      <DocumentTitle view={view} />
      <Header />
      <OfflineBanner />
      <Later part={<UnavailableNotice isAvailable={isAvailable} />} />
      {/* Keeps the footer below the window while a view loads. */}
      <main id="main" tabIndex={-1} className="min-h-svh">
        {view === 'public' && <PublicPage />}
        {view === 'dashboard' && <LazyView key="dashboard" view={<Dashboard />} />}
        {view === 'notifications' && <LazyView key="notifications" view={<NotificationsPage />} />}
        {view === 'admin' && <LazyView key="admin" view={<AdminDashboard />} />}
        {view === 'email-preferences' && <LazyView key="email-preferences" view={<EmailPreferencesPage />} />}
        {(view === 'privacy' || view === 'terms') && <LazyView key={view} view={<TextPage page={view} />} />}
      </main>
      {/* Below everything: it would move while the section that the page opens at loads. */}
      <Later part={<Footer />} isWaiting={isInitialSectionLoading} />
      <Dialogs />
    </>
  )
}

/** Empty for the public page. */
const viewName = (view: View, t: Translate): string =>
  ({
    public: '',
    dashboard: t('Dashboard'),
    notifications: t('Notifications'),
    admin: t('Admin Panel'),
    privacy: t('Privacy'),
    terms: t('Terms'),
    'email-preferences': t('Notification settings'),
  })[view]

/** Sets the document's title: the number of unread notifications, the view and the name of the community. */
function DocumentTitle({ view }: { view: View }) {
  const t = useT()
  const { unread } = useUnread()
  const name = viewName(view, t)
  useEffect(() => {
    const title = name === '' ? appName(t) : `${name} – ${appName(t)}`
    document.title = unread === 0 ? title : `(${formatUnread(unread)}) ${title}`
  }, [t, name, unread])
  return null
}

function LazyView({ view }: { view: ReactNode }) {
  return <ErrorBoundary loading={<SectionSkeleton />}>{view}</ErrorBoundary>
}

/** Renders a part once the browser is idle after the first paint. */
function Later({ part, isWaiting = false }: { part: ReactNode; isWaiting?: boolean }) {
  const isIdle = useIdle(isWaiting)
  if (!isIdle) return null
  return <SilentErrorBoundary>{part}</SilentErrorBoundary>
}
