import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** A member's own page: profile, teams, submissions. */
export function Dashboard() {
  const t = useT()
  const user = useUser()
  if (!user) {
    return (
      <EmptyState
        title={t('Please Sign In')}
        action={
          <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
            {t('Sign In')}
          </Button>
        }
      />
    )
  }
  return (
    <SectionBody title={t('Dashboard')}>
      <EmptyState title={t('No Teams Yet')} />
    </SectionBody>
  )
}
