import { useEffect, useState } from 'react'
import { useOpenDialog } from '../../lib/dialogs.ts'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, useUser } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { ProfilePanel, useProfileForm } from './profile-panel.tsx'
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
  const user = useUser()
  const [openedBy] = useState(user?.id)
  const isOpener = user !== null && user.id === openedBy
  // Signed out in another tab: the next user must not find this dialog open, nor save the previous user's values.
  useEffect(() => {
    if (!isOpener) onClose()
  }, [isOpener, onClose])
  return isOpener && <OwnAccount user={user} initialTab={initialTab} onClose={onClose} />
}

interface OwnAccountProps {
  user: CurrentUser
  initialTab: Tab
  onClose: () => void
}

function OwnAccount({ user, initialTab, onClose }: OwnAccountProps) {
  const t = useT()
  const [tab, setTab] = useState<Tab>(initialTab)
  const opened = useOpenDialog()
  const [followed, setFollowed] = useState(opened)
  // A link to a tab was followed meanwhile. No key, which would discard unsaved changes.
  if (opened !== followed) {
    setFollowed(opened)
    setTab(initialTab)
  }
  // Here, because the panel of a tab that is not selected is unmounted, and unsaved changes must stay.
  const profile = useProfileForm(user)
  return (
    <Dialog open fullHeight onOpenChange={onClose} size="md" title={t('Account settings')}>
      <Tabs
        label={t('Account settings')}
        value={tab}
        onChange={setTab}
        items={[
          { value: 'profile', label: t('Profile'), content: <ProfilePanel user={user} profile={profile} /> },
          { value: 'security', label: t('Security'), content: <SecurityPanel user={user} onSignedOut={onClose} /> },
          { value: 'notifications', label: t('Notifications'), content: <NotificationsPanel /> },
          { value: 'devices', label: t('Devices'), content: <SignInsPanel /> },
          { value: 'tokens', label: t('Access tokens'), content: <TokensPanel user={user} /> },
        ]}
      />
    </Dialog>
  )
}
