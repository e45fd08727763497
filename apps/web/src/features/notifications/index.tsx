import { PleaseSignIn } from '../../components/please-sign-in.tsx'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { SectionBody } from '../../ui/section.tsx'
import { Inbox } from './inbox.tsx'
import { SettingsButton } from './settings-button.tsx'

export { NotificationPanel } from './panel.tsx'

/** The page with the user's notifications. */
export function NotificationsPage() {
  const t = useT()
  const user = useUser()
  return (
    <SectionBody level={1} title={t('Notifications')} action={user && <SettingsButton />}>
      {user ? (
        <div key={user.id} className="max-w-3xl">
          <Inbox place="page" />
        </div>
      ) : (
        <PleaseSignIn text={t('Sign in to see your notifications.')} className="min-h-96 content-center" />
      )}
    </SectionBody>
  )
}
