import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { formatDate, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChallengesTab } from './challenges-tab.tsx'
import { useLastUpdated } from './last-updated.ts'
import { isAdminData, isAdminQuery } from './admin-queries.ts'
import { SettingsTab } from './settings-tab.tsx'
import { SubmissionsTab } from './submissions-tab.tsx'
import { UsersTab } from './users/users-tab.tsx'

type Tab = 'users' | 'challenges' | 'submissions' | 'settings'

/** Everything administrators look after. */
export function AdminDashboard() {
  const t = useT()
  const [tab, setTab] = useState<Tab>('challenges')
  return (
    <SectionBody level={1} title={t('Admin Dashboard')} action={<Refresh />}>
      <Tabs
        label={t('Parts of the administration')}
        value={tab}
        onChange={setTab}
        panelClassName="min-h-svh"
        items={[
          { value: 'users', label: t('Users'), content: <UsersTab /> },
          { value: 'challenges', label: t('Challenges'), content: <ChallengesTab /> },
          { value: 'submissions', label: t('Submissions'), content: <SubmissionsTab /> },
          { value: 'settings', label: t('Settings'), content: <SettingsTab /> },
        ]}
      />
    </SectionBody>
  )
}

function Refresh() {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const updated = useLastUpdated(isAdminData)
  const refresh = async () => {
    setBusy(true)
    await queries.invalidateQueries({ predicate: isAdminQuery })
    setBusy(false)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {updated !== null && (
        <p className="text-sm text-muted">
          {t('Last updated: {time}', {
            time: formatDate(updated, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
          })}
        </p>
      )}
      <Button onClick={() => void refresh()} busy={busy} busyLabel={t('Refreshing...')}>
        <RotateCw aria-hidden="true" />
        {t('Refresh')}
      </Button>
    </div>
  )
}
