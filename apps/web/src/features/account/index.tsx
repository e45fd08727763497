import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SecurityPanel } from './security-panel.tsx'
import { SignInsPanel } from './sign-ins-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

type Tab = 'profile' | 'security' | 'notifications' | 'devices' | 'tokens'

interface AccountDialogProps {
  /** Opened first. */
  initialTab?: Tab | undefined
  onClose: () => void
}

/** The user's own account: profile, security, notifications, devices and access tokens. */
export function AccountDialog({ initialTab = 'profile', onClose }: AccountDialogProps) {
  const t = useT()
  const user = useUser()
  const [tab, setTab] = useState<Tab>(initialTab)
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
          { value: 'profile', label: t('Profile'), content: <ProfilePanel user={user} />, keepMounted: true },
          { value: 'security', label: t('Security'), content: <SecurityPanel user={user} onSignedOut={onClose} /> },
          { value: 'notifications', label: t('Notifications'), content: <NotificationsPanel />, keepMounted: true },
          { value: 'devices', label: t('Devices'), content: <SignInsPanel /> },
          { value: 'tokens', label: t('Access tokens'), content: <TokensPanel user={user} /> },
        ]}
      />
    </Dialog>
  )
}
