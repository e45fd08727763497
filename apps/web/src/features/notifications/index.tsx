import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
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
        <EmptyState
          title={t('Please Sign In')}
          className="min-h-96 content-center"
          action={
            <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
              {t('Sign In')}
            </Button>
          }
        >
          {t('Sign in to see your notifications.')}
        </EmptyState>
      )}
    </SectionBody>
  )
}
