import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SecurityPanel } from './security-panel.tsx'
import { SignInsPanel } from './sign-ins-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

const TABS = ['profile', 'security', 'devices', 'tokens'] as const
type Tab = (typeof TABS)[number]

/** The user's own account: profile, security, devices and access tokens. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const user = useUser()
  const [tab, setTab] = useState<Tab>('profile')
  const isSignedOut = user === null
  // Signed out in another tab: the next user must not find this dialog open.
  useEffect(() => {
    if (isSignedOut) onClose()
  }, [isSignedOut, onClose])
  if (!user) return null
  return (
    <Dialog open onOpenChange={onClose} size="md" title={t('Account settings')}>
      <Tabs
        label={t('Account settings')}
        value={tab}
        onChange={setTab}
        items={[
          { value: 'profile', label: t('Profile'), content: <ProfilePanel user={user} /> },
          { value: 'security', label: t('Security'), content: <SecurityPanel user={user} onSignedOut={onClose} /> },
          { value: 'devices', label: t('Devices'), content: <SignInsPanel /> },
          { value: 'tokens', label: t('Access tokens'), content: <TokensPanel user={user} /> },
        ]}
      />
    </Dialog>
  )
}
