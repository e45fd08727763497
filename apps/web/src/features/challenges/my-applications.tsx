import { OwnApplications } from '../../components/own-applications.tsx'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** The applications of the user's teams; visitors are asked to sign in. */
export function MyApplications({ onBrowse }: { onBrowse: () => void }) {
  const t = useT()
  const user = useUser()
  if (user) return <OwnApplications onBrowse={onBrowse} />
  return (
    <EmptyState
      title={t('Please Sign In')}
      action={
        <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
          {t('Sign In')}
        </Button>
      }
    >
      {t('Applications from your teams appear here.')}
    </EmptyState>
  )
}
