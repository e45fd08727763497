import { clsx } from 'clsx'
import { RotateCw } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useAction } from '../../lib/action.ts'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { type ListValues, storeListValues } from '../../lib/list-values.ts'
import { useRememberedChoice } from '../../lib/memory-state.ts'
import { hasPath } from '../../lib/invalidate.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ADMIN_DATA, ADMIN_QUERIES } from './admin-queries.ts'
import { useLastUpdated } from './last-updated.ts'
import { OverviewTab } from './overview/overview-tab.tsx'

// The overview opens first: the forms and tables of the others load when they are opened.
const AnnouncementsTab = lazyWithRetry(() =>
  import('./announcements/announcements-tab.tsx').then((part) => part.AnnouncementsTab),
)
const AuditTab = lazyWithRetry(() => import('./audit-tab.tsx').then((part) => part.AuditTab))
const BlacklistTab = lazyWithRetry(() => import('./blacklist-tab.tsx').then((part) => part.BlacklistTab))
const ChallengesTab = lazyWithRetry(() => import('./challenges-tab.tsx').then((part) => part.ChallengesTab))
const SettingsTab = lazyWithRetry(() => import('./settings-tab.tsx').then((part) => part.SettingsTab))
const SubmissionsTab = lazyWithRetry(() => import('./submissions-tab.tsx').then((part) => part.SubmissionsTab))
const TeamsTab = lazyWithRetry(() => import('./teams/teams-tab.tsx').then((part) => part.TeamsTab))
const UsersTab = lazyWithRetry(() => import('./users/users-tab.tsx').then((part) => part.UsersTab))

const Webhooks = lazyWithRetry(() => import('../../components/webhooks/index.tsx').then((part) => part.Webhooks))

const TABS = [
  'overview',
  'users',
  'teams',
  'challenges',
  'submissions',
  'blacklist',
  'announcements',
  'audit',
  'webhooks',
  'settings',
] as const
type Tab = (typeof TABS)[number]

/** The admin area. */
export function AdminDashboard() {
  const t = useT()
  const [tab, setTab] = useRememberedChoice<Tab>('adminTab', TABS)
  const openList = (list: 'users' | 'submissions', values: ListValues) => {
    storeListValues(list, values)
    setTab(list)
  }
  const overview = (
    <OverviewTab
      onPending={() => openList('submissions', { status: 'pending' })}
      onBanned={() => openList('users', { status: 'banned' })}
      onWarned={() => openList('users', { order: 'warnings desc' })}
      onMails={() => setTab('settings')}
      onAudit={() => setTab('audit')}
    />
  )
  return (
    <SectionBody level={1} title={t('Admin Dashboard')} action={<RefreshButton />}>
      <Tabs
        label={t('Admin sections')}
        value={tab}
        onChange={setTab}
        panelClassName="min-h-svh"
        items={[
          { value: 'overview', label: t('Overview'), content: overview },
          { value: 'users', label: t('Users'), content: later(<UsersTab />) },
          { value: 'teams', label: t('Teams'), content: later(<TeamsTab />) },
          { value: 'challenges', label: t('Challenges'), content: later(<ChallengesTab />) },
          { value: 'submissions', label: t('Submissions'), content: later(<SubmissionsTab />) },
          { value: 'blacklist', label: t('Blacklist'), content: later(<BlacklistTab />) },
          { value: 'announcements', label: t('Announcements'), content: later(<AnnouncementsTab />) },
          { value: 'audit', label: t('Audit log'), content: later(<AuditTab />) },
          { value: 'webhooks', label: t('Webhooks'), content: later(<Webhooks teamId={null} />) },
          { value: 'settings', label: t('Settings'), content: later(<SettingsTab />) },
        ]}
      />
    </SectionBody>
  )
}

/** A tab whose code loads when it is opened. */
const later = (tab: ReactNode) => <Suspense fallback={<Skeletons className="h-96" />}>{tab}</Suspense>

const isAdminData = hasPath(ADMIN_DATA)
const NO_REQUEST = { mutate: async (_input: void): Promise<void> => {} }

function RefreshButton() {
  const t = useT()
  const updatedAt = useLastUpdated(isAdminData)
  const refresh = useAction(NO_REQUEST, { invalidates: ADMIN_QUERIES })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Keeps its room, so that the first data move nothing. */}
      <p className={clsx('text-sm text-muted', updatedAt === null && 'invisible')}>
        {t('Last updated: {time}', {
          time: formatDate(updatedAt ?? 0, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
        })}
      </p>
      <Button onClick={() => void refresh.run()} busy={refresh.isPending} busyLabel={t('Refreshing...')}>
        <RotateCw aria-hidden="true" />
        {t('Refresh')}
      </Button>
    </div>
  )
}
