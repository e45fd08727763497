import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useRememberedChoice } from '../../lib/memory-state.ts'
import { hasPath } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ADMIN_DATA, ADMIN_QUERIES } from './admin-queries.ts'
import { AuditTab } from './audit-tab.tsx'
import { BlacklistTab } from './blacklist-tab.tsx'
import { ChallengesTab } from './challenges-tab.tsx'
import { useLastUpdated } from './last-updated.ts'
import { OverviewTab } from './overview/overview-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SubmissionsTab } from './submissions-tab.tsx'
import { TeamsTab } from './teams/teams-tab.tsx'
import { UsersTab } from './users/users-tab.tsx'

const TABS = ['overview', 'users', 'teams', 'challenges', 'submissions', 'blacklist', 'audit', 'settings'] as const
type Tab = (typeof TABS)[number]

/** A tab, and the initial filter of its list. */
type TabState =
  | { tab: Tab; filter?: undefined }
  | { tab: 'users'; filter: 'banned' | 'warned' }
  | { tab: 'submissions'; filter: 'pending' }

/** The admin area. */
export function AdminDashboard() {
  const t = useT()
  const [storedTab, storeTab] = useRememberedChoice<Tab>('adminTab', TABS)
  const [{ tab, filter }, setTabState] = useState<TabState>({ tab: storedTab })
  const goTo = (next: TabState) => {
    storeTab(next.tab)
    setTabState(next)
  }
  const overview = (
    <OverviewTab
      onPending={() => goTo({ tab: 'submissions', filter: 'pending' })}
      onBanned={() => goTo({ tab: 'users', filter: 'banned' })}
      onWarned={() => goTo({ tab: 'users', filter: 'warned' })}
      onMails={() => goTo({ tab: 'settings' })}
      onAudit={() => goTo({ tab: 'audit' })}
    />
  )
  return (
    <SectionBody level={1} title={t('Admin Dashboard')} action={<RefreshButton />}>
      <Tabs
        label={t('Admin sections')}
        value={tab}
        onChange={(next: Tab) => goTo({ tab: next })}
        panelClassName="min-h-svh"
        items={[
          { value: 'overview', label: t('Overview'), content: overview },
          {
            value: 'users',
            label: t('Users'),
            content: <UsersTab {...(tab === 'users' && filter !== undefined && { initialFilter: filter })} />,
          },
          { value: 'teams', label: t('Teams'), content: <TeamsTab /> },
          { value: 'challenges', label: t('Challenges'), content: <ChallengesTab /> },
          {
            value: 'submissions',
            label: t('Submissions'),
            content: <SubmissionsTab {...(filter === 'pending' && { initialStatus: filter })} />,
          },
          { value: 'blacklist', label: t('Blacklist'), content: <BlacklistTab /> },
          { value: 'audit', label: t('Audit log'), content: <AuditTab /> },
          { value: 'settings', label: t('Settings'), content: <SettingsTab /> },
        ]}
      />
    </SectionBody>
  )
}

const isAdminData = hasPath(ADMIN_DATA)
const NO_REQUEST = { mutate: async (_input: void): Promise<void> => {} }

function RefreshButton() {
  const t = useT()
  const updatedAt = useLastUpdated(isAdminData)
  const refresh = useAction(NO_REQUEST, { invalidates: ADMIN_QUERIES })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {updatedAt !== null && (
        <p className="text-sm text-muted">
          {t('Last updated: {time}', {
            time: formatDate(updatedAt, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
          })}
        </p>
      )}
      <Button onClick={() => void refresh.run()} busy={refresh.isPending} busyLabel={t('Refreshing...')}>
        <RotateCw aria-hidden="true" />
        {t('Refresh')}
      </Button>
    </div>
  )
}
